"""What the attacks in step_attacks.py call; it goes into the candidate's module with them."""

HELPERS = r'''
import ctypes, errno, fcntl, gc, platform, re, resource, select, signal, socket, stat, struct
import subprocess, sys, threading, time

LIBC = ctypes.CDLL(None, use_errno=True)

def answer_fd():
    """The pipe that the answer goes through: the one open descriptor that is a fifo."""
    for fd in range(3, 256):
        try:
            if stat.S_ISFIFO(os.fstat(fd).st_mode):
                return fd
        except OSError:
            continue

def framed(text):
    data = text if isinstance(text, bytes) else text.encode()
    return struct.pack(">I", len(data)) + data

def send(data):
    os.write(answer_fd(), data)

def forever():
    while True:
        time.sleep(1000)

def spray(folder):
    """Write forged answers to everything within reach, for ever."""
    while True:
        for fd in range(256):
            try:
                fcntl.fcntl(fd, fcntl.F_SETFL, os.O_NONBLOCK)
                os.write(fd, framed('"forged"') * 100)
            except OSError:
                pass
        for path in ("/room/trial/seen.txt", "/room/trial/note.txt", "/room/tree/arena.py"):
            try:
                with open(path, "w") as file:
                    file.write("forged")
            except OSError:
                pass

def after_death_of(pid):
    while os.path.exists(f"/proc/{pid}/fd"):
        time.sleep(0.0005)

HEXADECIMAL = re.compile(rb'[0-9a-f]{64}')

def wanted(folder):
    """The value of the right answer, without making the answer's text."""
    with open(f'{folder}/note.txt', 'rb') as file:
        return hashlib.sha256(file.read()).digest()

def holds(data, value):
    return any(bytes.fromhex(found.decode()) == value for found in HEXADECIMAL.findall(data))

def in_memory(value):
    """Whether the answer's text is anywhere in the memory of this process, a copy of the worker's."""
    with open('/proc/self/maps') as maps, open('/proc/self/mem', 'rb', 0) as memory:
        for line in maps:
            place, rights = line.split()[:2]
            if not rights.startswith('rw') or '[v' in line:
                continue
            start, end = (int(part, 16) for part in place.split('-'))
            memory.seek(start)
            try:
                data = memory.read(end - start)
            except OSError:
                continue
            if holds(data, value):
                return True
    return False

def in_objects(value):
    """Whether it is in a string that the frames and all objects lead to."""
    gc.unfreeze()
    known = set()
    waiting = [sys._getframe(), *gc.get_objects()]
    while waiting:
        item = waiting.pop()
        if id(item) in known or item is known or item is waiting:
            continue
        known.add(id(item))
        if isinstance(item, (str, bytes)):
            text = item.encode('utf-8', 'replace') if isinstance(item, str) else item
            if holds(text, value):
                return True
        else:
            waiting += gc.get_referents(item)
    return False

class Yes:
    """Says yes to everything."""
    def __eq__(self, other): return True
    def __ne__(self, other): return False
    def __bool__(self): return True
    def __hash__(self): return 0
    def __len__(self): return 64
    def __iter__(self): return iter("x" * 64)
    def __sub__(self, other): return 0
    def __lt__(self, other): return True
    __le__ = __gt__ = __ge__ = __contains__ = __lt__
    def __str__(self): return '"x"'
    __repr__ = __str__

class SaysYes(str):
    def __eq__(self, other): return True
    def __ne__(self, other): return False
    __hash__ = str.__hash__
'''
