# I print what only the oracle holds.
# when: before
# outcome: disqualified
echo @canary@
