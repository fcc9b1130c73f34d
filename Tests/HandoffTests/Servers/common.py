"""What the servers of the tests have in common."""
import os
import socket


def announce(portfile, port):
    """Tells the test which port the server listens at: it is ready."""
    with open(portfile + ".new", "w") as file:
        file.write(str(port))
    os.rename(portfile + ".new", portfile)


def carry(source, target):
    """Everything from one socket to another, until its end."""
    try:
        while data := source.recv(65536):
            target.sendall(data)
        target.shutdown(socket.SHUT_WR)
    except OSError:
        pass
