"""Takes what a client sends first, writes it to FOLDER/requests as hexadecimal digits, and never answers.

usage: connect.py FOLDER PORTFILE
"""
import socket
import sys

from common import announce

folder, portfile = sys.argv[1:3]
with socket.socket() as server:
    server.bind(("127.0.0.1", 0))
    server.listen()
    announce(portfile, server.getsockname()[1])
    connections = []
    while True:
        connections.append(server.accept()[0])
        with open(folder + "/requests", "a") as log:
            log.write(connections[-1].recv(65536).hex() + "\n")
