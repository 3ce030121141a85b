# I kill my shell and all I can.
# when: after
kill -9 $$
#%%
pkill -9 -u agent
#%%
kill -9 -1
