"""An engine that can be lost: a socket in front of the real one, which closes at a given request."""

import contextlib
import socket
import threading
from pathlib import Path


class CutEngine:
    """Passes everything on to the engine until a client's request holds `trigger`; then nobody answers."""

    def __init__(self, path: Path, engine: str, trigger: bytes) -> None:
        self._engine, self._trigger = engine, trigger
        self._open: list[socket.socket] = []
        self._lock = threading.Lock()
        self.is_cut = threading.Event()
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(path))
        self._listener.listen(64)
        self.address = f"unix://{path}"
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self) -> None:
        """Close every connection, and take no new one."""
        self.is_cut.set()
        with self._lock:
            for end in [self._listener, *self._open]:
                with contextlib.suppress(OSError):
                    end.shutdown(socket.SHUT_RDWR)
                end.close()

    def _accept(self) -> None:
        while not self.is_cut.is_set():
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            engine = socket.socket(socket.AF_UNIX)
            engine.connect(self._engine)
            with self._lock:
                self._open += [client, engine]
            threading.Thread(target=self._pass_on, args=(client, engine, True), daemon=True).start()
            threading.Thread(target=self._pass_on, args=(engine, client, False), daemon=True).start()

    def _pass_on(self, source: socket.socket, target: socket.socket, asking: bool) -> None:
        with contextlib.suppress(OSError):
            while chunk := source.recv(65536):
                if asking and self._trigger in chunk:
                    self.cut()
                    return
                target.sendall(chunk)
            target.shutdown(socket.SHUT_WR)
