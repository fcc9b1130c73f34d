"""Takes what a client sends first, writes it to FOLDER/requests as hexadecimal digits, and never answers.

usage: connect.py FOLDER PORTFILE
"""
import os
import socket
import sys

folder, portfile = sys.argv[1:3]
with socket.socket() as server:
    server.bind(("127.0.0.1", 0))
    server.listen()
    with open(portfile + ".new", "w") as file:
        file.write(str(server.getsockname()[1]))
    os.rename(portfile + ".new", portfile)
    connections = []
    while True:
        connections.append(server.accept()[0])
        with open(folder + "/requests", "a") as log:
            log.write(connections[-1].recv(65536).hex() + "\n")
