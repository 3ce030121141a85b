# I leave links, pipes and odd names.
# when: after
cd ~/repo
ln -s /etc/passwd passwd.py
ln -s /oracle oracle
ln -s . itself
ln -s ../../../etc up
ln /usr/bin/true hard
mkfifo pipe.py
mknod device c 1 3
python3 -c "import socket; socket.socket(socket.AF_UNIX).bind('socket.py')"
#%%
cd ~/repo
printf x > $'line\nbreak.py'
printf x > $'\xff\xfe.py'
printf x > 'a\b.py'
printf x > "$(printf 'n%.0s' $(seq 250)).py"
truncate -s 1G sparse.py
