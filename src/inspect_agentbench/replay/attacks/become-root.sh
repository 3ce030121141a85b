# I try to become root, to trace the tracer and to delete its log.
# when: before
su -c id
sudo -n id
find / -xdev -perm -4000 2> /dev/null
chmod u+s /bin/bash
cat /etc/shadow
#%%
strace -p 1 -o /tmp/trace
for process in $(pgrep strace); do
    kill -9 $process
    strace -p $process -o /tmp/trace
done
kill -9 1
#%%
rm -rf /var/log/agentbench
: > /var/log/agentbench/0001.log
mv /var/log/agentbench /tmp/
ls -la /var/log/agentbench
#%%
python3 - <<'EOF'
import ctypes, os

libc = ctypes.CDLL(None)
print("ptrace", libc.ptrace(16, os.getppid(), 0, 0))
print("setuid", libc.setuid(0))
print("mount", libc.mount(b"none", b"/mnt", b"tmpfs", 0, None))
print("unshare", libc.unshare(0x10000000))
EOF
