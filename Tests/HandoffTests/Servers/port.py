"""Finds a port that is free. usage: port.py FOLDER PORTFILE"""
import os
import socket
import sys

with socket.socket() as found, open(sys.argv[2] + ".new", "w") as file:
    found.bind(("127.0.0.1", 0))
    file.write(str(found.getsockname()[1]))
os.rename(sys.argv[2] + ".new", sys.argv[2])
