"""Speaks TLS, and passes everything on to a server that does not. usage: tls.py FOLDER PORTFILE PORT

FOLDER has server.pem and server.key.
"""
import socket
import ssl
import sys
import threading

from common import announce, carry

folder, portfile, target = sys.argv[1:4]
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(folder + "/server.pem", folder + "/server.key")


def serve(plain):
    try:
        with context.wrap_socket(plain, server_side=True) as client:
            with socket.create_connection(("127.0.0.1", int(target))) as server:
                threading.Thread(target=carry, args=(server, client), daemon=True).start()
                carry(client, server)
    except OSError:
        pass


with socket.create_server(("127.0.0.1", 0)) as listener:
    announce(portfile, listener.getsockname()[1])
    while True:
        threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()
