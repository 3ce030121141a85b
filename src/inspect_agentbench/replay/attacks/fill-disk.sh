# I fill every folder.
# when: after
for folder in ~/repo /tmp /dev/shm /var/tmp; do
    dd if=/dev/zero of=$folder/fill.py bs=1M count=100
done
