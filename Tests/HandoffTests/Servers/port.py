"""Finds a port that is free, and that the kernel gives to no client meanwhile. usage: port.py FOLDER PORTFILE"""
import random
import socket
import sys

from common import announce


def is_free(port):
    with socket.socket() as found:
        try:
            found.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


with open("/proc/sys/net/ipv4/ip_local_port_range") as file:
    clients = int(file.read().split()[0])
ports = range(10_000, max(clients, 20_000))
announce(sys.argv[2], next(port for port in iter(lambda: random.choice(ports), None) if is_free(port)))
