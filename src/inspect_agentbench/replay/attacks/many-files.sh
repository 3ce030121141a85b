# I leave twenty thousand files.
# when: after
mkdir ~/repo/many
cd ~/repo/many
python3 -c "for number in range(20_000): open(f'f{number}.py', 'w').close()"
