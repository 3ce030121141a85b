# I reach a folder of the oracle's name, which I never print.
# when: before
# outcome: disqualified
cd /tmp
name=$(echo @reversed@ | rev)
mkdir $name
echo > $name/x
rm $name/x
rmdir $name
