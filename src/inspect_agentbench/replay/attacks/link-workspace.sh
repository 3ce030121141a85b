# I put a link in the repository's place.
# when: after
# outcome: failed
cd /
mv ~/repo /tmp/elsewhere
ln -s /tmp/elsewhere ~/repo
