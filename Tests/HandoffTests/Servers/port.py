"""Finds a port that is free. usage: port.py FOLDER PORTFILE"""
import socket
import sys

from common import announce

with socket.socket() as found:
    found.bind(("127.0.0.1", 0))
    port = found.getsockname()[1]
announce(sys.argv[2], port)
