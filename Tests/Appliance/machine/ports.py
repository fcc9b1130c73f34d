"""TCP ports for servers that cannot choose one themselves."""
import random
import socket

# From which on the kernel chooses ports for clients. A host can be set up so that they have nearly all.
CLIENTS = "/proc/sys/net/ipv4/ip_local_port_range"


def free_port():
    """A port of this machine that is free, and that no client is given before the server has it, where the host leaves its
    clients less than nearly all."""
    with open(CLIENTS) as file:
        first = int(file.read().split()[0])
    ports = range(10_000, max(first, 20_000))
    port = random.choice(ports)
    while not is_free(port):
        port = random.choice(ports)
    return port


def is_free(port):
    with socket.socket() as probe:
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True
