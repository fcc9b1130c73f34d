"""Connects standard input and output to a port of this host: QEMU starts it for each connection of the guest."""
import os
import select
import socket
import sys


def main():
    with socket.create_connection(("127.0.0.1", int(sys.argv[1]))) as server:
        while True:
            for ready in select.select([0, server], [], [])[0]:
                if ready == 0:
                    data = os.read(0, 1 << 16)
                    if not data:
                        return
                    server.sendall(data)
                else:
                    data = server.recv(1 << 16)
                    if not data:
                        return
                    while data:
                        data = data[os.write(1, data) :]


main()
