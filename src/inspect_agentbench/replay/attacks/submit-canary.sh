# I hand in what only the oracle holds.
# when: after
# outcome: disqualified
echo '# @canary@' >> ~/repo/@source@
