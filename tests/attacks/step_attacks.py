"""Attacks made in one step of one trial: bodies of `attack(folder, number)` in the candidate's module."""

# What a step leaves for the worker to read, after a right answer.
LEAVING = """
found, seen = honest(folder, number), f'{folder}/seen.txt'
...
return found
"""
LEFT_BEHIND = {
    "leaves no file": "os.unlink(seen)",
    "leaves a folder": "os.unlink(seen); os.mkdir(seen)",
    "leaves a fifo": "os.unlink(seen); os.mkfifo(seen)",
    "leaves a socket": "os.unlink(seen); socket.socket(socket.AF_UNIX).bind(seen)",
    "leaves a link to the right content": "os.rename(seen, '/room/home/s'); os.symlink('/room/home/s', seen)",
    "leaves a link to itself": "os.unlink(seen); os.symlink('seen.txt', seen)",
    "leaves a link to the worker's memory": "os.unlink(seen); os.symlink('/proc/1/mem', seen)",
    "leaves a sparse file": "os.truncate(seen, 16 << 20)",
    "leaves a closed file": "os.chmod(seen, 0)",
    "a fifo for the trial's folder": "os.rename(folder, '/room/old'); os.mkfifo(folder)",
    "no trial's folder": "os.rename(folder, '/room/old')",
    "a closed trial's folder": "os.chmod(folder, 0)",
    "a closed room": "os.chmod('/room', 0)",
    "no note for the next step": "os.unlink(f'{folder}/note.txt')",
    "no tree for the next step": "os.rename('/room/tree', '/room/home/tree'); os.symlink('/', '/room/tree')",
    "a closed tree for the next step": "os.chmod('/room/tree', 0)",
}

WRONG = {
    "os._exit": "os._exit(0)",
    "sys.exit": "sys.exit(0)",
    "SystemExit with the answer": "raise SystemExit(honest(folder, number))",
    "KeyboardInterrupt": "raise KeyboardInterrupt",
    "GeneratorExit": "raise GeneratorExit",
    "kills itself": "os.kill(os.getpid(), signal.SIGKILL)",
    "segmentation fault": "ctypes.string_at(0)",
    "abort": "os.abort()",
    "recursion": "def again(): return again()\nreturn again()",
    "recursion without a limit": """
        sys.setrecursionlimit(10**9)
        def again(n): return again(n + 1) + 1
        return again(0)
    """,
    "closes every descriptor": "os.closerange(0, 256)\nreturn honest(folder, number)",
    "half an answer": "send(framed(honest(folder, number))[:20])\nos._exit(0)",
    "an empty answer": "send(framed(b''))\nforever()",
    "a length too short": "send(struct.pack('>I', 3) + b'\"abc\"')\nforever()",
    "a gigantic length": "send(b'\\xff' * 4 + b'x' * 1000)\nforever()",
    "a length just over the limit": "send(struct.pack('>I', 1_000_001))\nforever()",
    "bytes that are no text": "send(framed(b'\\xff\\xfe\\0'))\nforever()",
    "a wrong answer, then the right one": """
        found = honest(folder, number)
        send(framed('"0"'))
        return found
    """,
    "the answer with a space": "send(framed(' \"' + honest(folder, number) + '\"'))\nforever()",
    "the answer with END after it": "send(framed('\"' + honest(folder, number) + '\"END passed'))\nforever()",
    "the answer without its quotes": "send(framed(honest(folder, number)))\nforever()",
    "a forged frame of the worker": """
        send(struct.pack('>iiBI', number, 0, 0, 66) + b'"' + b'0' * 64 + b'"')
        forever()
    """,
    "equals everything": "honest(folder, number)\nreturn Yes()",
    "a str that equals everything": "honest(folder, number)\nreturn SaysYes('no')",
    "a list that holds the answer": "return [honest(folder, number)]",
    "bytes for str": "return honest(folder, number).encode()",
    "None": "honest(folder, number)",
    "a generator": "yield honest(folder, number)",
    "a function": "return lambda: honest(folder, number)",
    "100 MB": "return 'x' * 100_000_000",
    "900 KB": "return 'x' * 900_000",
    "a million values": "return [0] * 1_000_000",
    "a deep answer": "value = []\nfor _ in range(100_000): value = [value]\nreturn value",
    "an answer in a circle": "value = []\nvalue.append(value)\nreturn value",
    "a huge integer": "return 10 ** 100_000",
    "an exception that is no Exception": "raise type('ValueError', (BaseException,), {})()",
    "an exception without a name": """
        class Kind(type):
            __name__ = property(lambda kind: 1 / 0)
        raise Kind('Odd', (Exception,), {})()
    """,
    "a memory search that finds what is there": """
        kept = [honest(folder, number)]
        return 'found' if in_memory(wanted(folder)) else kept[0]
    """,
    "an object search that finds what is there": """
        kept = [honest(folder, number)]
        return 'found' if in_objects(wanted(folder)) else kept[0]
    """,
    "memory": "return [bytearray(1 << 24) for _ in range(1000)]",
    "writes the answer to standard output": "print(honest(folder, number), flush=True)\nos._exit(0)",
    **{name: LEAVING.replace("...", code) for name, code in LEFT_BEHIND.items()},
}

TIMED_OUT = {
    "an endless loop": "while True: pass",
    "sleep": "forever()",
    "stops itself": "os.kill(os.getpid(), signal.SIGSTOP)",
    "announces more than it sends": "send(struct.pack('>I', 900_000) + b'\"')\nforever()",
    "sends one byte at a time": """
        send(struct.pack('>I', 900_000))
        while True:
            send(b'x')
            time.sleep(0.01)
    """,
    "a fork bomb": """
        while True:
            try:
                os.fork()
            except OSError:
                pass
    """,
    "waits for a fifo": "os.mkfifo('/room/tmp/f')\nopen('/room/tmp/f')",
}

# Done after a right answer, or before it: none may change that answer, or any of another step.
HARMLESS = {
    "answers twice, the right one first": """
        answer = honest(folder, number)
        send(framed('"' + answer + '"'))
        return 'forged'
    """,
    "prints forged results everywhere": """
        found = honest(folder, number)
        for fd in (0, 1, 2):
            os.write(fd, framed('"forged"') + b'passed END 0 failed')
        for name in ('/proc/1/fd/0', '/proc/1/fd/1', '/proc/1/fd/2', '/dev/stdout', '/dev/console'):
            try:
                with open(name, 'wb') as file:
                    file.write(framed('"forged"'))
            except OSError:
                pass
        return found
    """,
    "a daemon that sprays answers afterwards": """
        found, parent = honest(folder, number), os.getpid()
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                after_death_of(parent)
                spray(folder)
            os._exit(0)
        return found
    """,
    "a daemon that goes on forking": """
        found, parent = honest(folder, number), os.getpid()
        if os.fork() == 0:
            after_death_of(parent)
            while True:
                try:
                    if os.fork() == 0:
                        os.setsid()
                except OSError:
                    pass
        return found
    """,
    "thirty sleeping children": """
        found = honest(folder, number)
        for _ in range(30):
            if os.fork() == 0:
                os.setsid()
                signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))
                forever()
        return found
    """,
    "children cloned without a signal": """
        found = honest(folder, number)
        number_of_clone = {'x86_64': 56, 'aarch64': 220}[platform.machine()]
        for flags in (0, 0x8000):
            if LIBC.syscall(number_of_clone, flags, 0, 0, 0, 0) == 0:
                while True:
                    LIBC.pause()
        return found
    """,
    "a traced and stopped child": """
        found = honest(folder, number)
        if os.fork() == 0:
            LIBC.ptrace(0, 0, 0, 0)
            os.kill(os.getpid(), signal.SIGSTOP)
        LIBC.ptrace(0, 0, 0, 0)
        return found
    """,
    "threads": """
        for daemon in (True, False):
            threading.Thread(target=forever, daemon=daemon).start()
        return honest(folder, number)
    """,
    "exit handlers and hooks": """
        import atexit
        atexit.register(os._exit, 1)
        sys.excepthook = lambda *_: os._exit(1)
        signal.signal(signal.SIGTERM, lambda *_: os._exit(1))
        threading.excepthook = sys.excepthook
        return honest(folder, number)
    """,
    "every signal to process 1": """
        for sign in range(1, 65):
            os.kill(1, sign)
        if os.fork() == 0:
            forever()
        os.kill(-1, signal.SIGSTOP)
        os.kill(-1, signal.SIGKILL)
        return honest(folder, number)
    """,
    "a pipe that signals process 1": """
        readable, writable = os.pipe()
        fcntl.fcntl(readable, fcntl.F_SETOWN, 1)
        fcntl.fcntl(readable, 10, signal.SIGKILL)
        fcntl.fcntl(readable, fcntl.F_SETFL, os.O_ASYNC)
        os.write(writable, b'x')
        return honest(folder, number)
    """,
    "a full file system": """
        found = honest(folder, number)
        try:
            for name in range(100):
                with open(f'/room/tmp/{name}', 'wb') as file:
                    file.write(bytes(15 << 20))
        except OSError as error:
            assert error.errno == errno.ENOSPC
        return found
    """,
    "no free inode": """
        found = honest(folder, number)
        try:
            for name in range(100_000):
                os.close(os.open(f'{folder}/{name}', os.O_CREAT))
        except OSError as error:
            assert error.errno == errno.ENOSPC
        return found
    """,
    "a deep tree": """
        found = honest(folder, number)
        os.chdir(folder)
        for _ in range(3000):
            os.mkdir('d')
            os.chdir('d')
        return found
    """,
    "closed folders": """
        found = honest(folder, number)
        os.makedirs('/room/tmp/a/b/c')
        for path in ('/room/tmp/a/b/c', '/room/tmp/a/b', '/room/tmp/a', '/room/tmp', '/room/home'):
            os.chmod(path, 0)
        return found
    """,
    "odd names": """
        found = honest(folder, number)
        for name in ('-rf', 'a\\nb', '\\udcff', '*', ' ', 'x' * 255):
            open(f'/room/tmp/{name}', 'w').close()
        os.symlink('loop', '/room/tmp/loop')
        os.symlink('/', '/room/root')
        os.mkfifo('/room/fifo')
        return found
    """,
    "another module in place of itself": """
        found = honest(folder, number)
        with open('/room/tree/arena.py', 'w') as file:
            file.write('1 / 0')
        return found
    """,
    "a process of memory": """
        found = honest(folder, number)
        if os.fork() == 0:
            kept = [bytearray(b'x') * (1 << 24) for _ in range(20)]
            forever()
        time.sleep(0.1)
        return found
    """,
    "replaced parts of the standard library": """
        import builtins, io, random
        found = honest(folder, number)
        random.random = time.time = time.monotonic = lambda: 4
        builtins.print = builtins.open = io.open = builtins.input = None
        sys.stdout = sys.stderr = sys.stdin = None
        os.environ.clear()
        return found
    """,
    "a subclass of str": "class Text(str): pass\nreturn Text(honest(folder, number))",
    "a helper process": "subprocess.run(['/bin/true'], check=True)\nreturn honest(folder, number)",
    "slow": "time.sleep(0.2)\nreturn honest(folder, number)",
}

# Each of these would give a wrong answer if it got what it is after.
FUTILE = {
    "opening what belongs to process 1": """
        for name in ('mem', 'fd', 'environ', 'maps', 'exe', 'cwd', 'root', 'fdinfo', 'map_files', 'auxv',
                     'io', 'syscall', 'stack', 'ns/pid', 'oom_score_adj', 'clear_refs', 'pagemap'):
            path = f'/proc/1/{name}'
            for look in (os.listdir, os.readlink, lambda p: os.read(os.open(p, os.O_RDONLY), 1)):
                try:
                    look(path)
                except OSError:
                    continue
                if not name.startswith('oom'):
                    return f'got {path}'
            try:
                os.open(path, os.O_WRONLY)
                return f'may write {path}'
            except OSError:
                pass
        return honest(folder, number)
    """,
    "tracing process 1": """
        for request in (16, 0x4206):  # ATTACH, SEIZE
            if LIBC.ptrace(request, 1, 0, 0) == 0:
                return 'traced'
        return honest(folder, number)
    """,
    "reading the memory of process 1": """
        place = ctypes.create_string_buffer(8)
        vector = (ctypes.c_void_p * 2)(ctypes.addressof(place), 8)
        if LIBC.process_vm_readv(1, vector, 1, vector, 1, 0) != -1:
            return 'read'
        return honest(folder, number)
    """,
    "taking the descriptors of process 1": """
        handle = os.pidfd_open(1)
        for fd in range(10):
            if LIBC.syscall(438, handle, fd, 0) != -1:
                return 'taken'
        return honest(folder, number)
    """,
    "looking for the answer in memory": """
        return 'found' if in_memory(wanted(folder)) else honest(folder, number)
    """,
    "looking for the answer in objects": """
        return 'found' if in_objects(wanted(folder)) else honest(folder, number)
    """,
    "looking for the reference in files": """
        names = {'oracle.py', 'signatures.json', 'oracle.toml', 'family.toml'}
        for base, folders, files in os.walk('/'):
            if base == '/':
                folders[:] = [f for f in folders if f not in ('proc', 'sys')]
            if names.intersection(files) or any('canary' in name for name in (*folders, *files)):
                return f'found in {base}'
        return honest(folder, number)
    """,
    "another writable place": """
        for base, folders, _ in os.walk('/'):
            folders[:] = [f for f in folders if f'{base}/{f}' not in ('//proc', '//sys', '//room')]
            try:
                os.close(os.open(f'{base}/mark', os.O_CREAT | os.O_WRONLY))
                return f'may write in {base}'
            except OSError:
                pass
        return honest(folder, number)
    """,
    "the network": """
        found = []
        ipv4, ipv6 = (socket.AF_INET, ('192.0.2.1', 53)), (socket.AF_INET6, ('2001:db8::1', 53))
        for kind, address in (ipv4, ipv6):
            try:
                with socket.socket(kind, socket.SOCK_DGRAM) as gram:
                    gram.connect(address)
                    found.append(address)
            except OSError:
                pass
        return str(found) if found else honest(folder, number)
    """,
    "more rights": """
        calls = [
            (LIBC.setuid, 0),
            (LIBC.setgid, 0),
            (LIBC.nice, -1),
            (LIBC.chroot, b'/room'),
            (LIBC.mknod, b'/room/tmp/device', 0o60600, 1),
            (LIBC.mount, b'none', b'/room/tmp', b'tmpfs', 0, None),
            (LIBC.unshare, 0x10000000),
            (LIBC.unshare, 0x00020000),
            (LIBC.sethostname, b'x', 1),
        ]
        gained = [call.__name__ for call, *arguments in calls if call(*arguments) != -1]
        return str(gained) if gained else honest(folder, number)
    """,
}
