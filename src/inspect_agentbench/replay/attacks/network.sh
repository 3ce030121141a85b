# I look for a network.
# when: before
python3 - <<'EOF'
import socket


def tried(name, reach):
    try:
        reach()
        print(name, "REACHED")
    except OSError as error:
        print(name, "failed:", error)


for address in ("1.1.1.1", "169.254.169.254", "172.17.0.1", "192.168.65.2"):
    udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    tried(f"tcp {address}", lambda: socket.create_connection((address, 80), 2))
    tried(f"udp {address}", lambda: udp.sendto(b"x", (address, 53)))
tried("ipv6", lambda: socket.create_connection(("2606:4700:4700::1111", 80), 2))
tried("dns", lambda: socket.getaddrinfo("example.com", 80))
EOF
