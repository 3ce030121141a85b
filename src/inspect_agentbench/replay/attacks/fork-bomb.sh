# I start as many processes as I can.
# when: after
python3 - <<'EOF'
import os, time

for _ in range(2000):
    try:
        if os.fork() == 0:
            time.sleep(600)
            os._exit(0)
    except OSError as error:
        print("no more:", error)
        break
EOF
#%%
echo still here
