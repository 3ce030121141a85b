# I remove the repository.
# when: after
# outcome: failed
cd /
rm -rf ~/repo
