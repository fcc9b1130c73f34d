"""Compares the responses of paraph-web with its OpenAPI description, by schemathesis."""
import http.client
import os
import subprocess
import sys
import tempfile
import threading

from web import PARAPHD, Pad, Web

# Of each operation.
EXAMPLES = "40"


def cancel(web, ended):
    """A request with a limit of a day ends nevertheless."""
    while not ended.wait(0.02):
        try:
            web.ask("POST", "/v1/cancel", {})
        except (OSError, http.client.HTTPException):
            # A connection that was refused, as there were too many.
            pass


def main():
    pad = Pad(PARAPHD, control="mode = 0666\nwatch-strokes = yes\npress-buttons = yes", pad="time-limit = 1s")
    web = Web(pad.socket, "mirror = yes\npress = yes")
    command = [
        os.path.join(os.path.dirname(sys.executable), "schemathesis"), "run", web.address + "/v1/openapi.json",
        # The stream has no end.
        "--request-timeout", "10", "--max-examples", EXAMPLES, "--seed", "7", "--exclude-path", "/v1/live",
        "--phases", "examples,coverage,fuzzing", "--no-color", "--workers", "1",
        "--checks", "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance,"
        "unsupported_method,negative_data_rejection",
    ]
    ended = threading.Event()
    cancelling = threading.Thread(target=cancel, args=(web, ended), daemon=True)
    cancelling.start()
    try:
        # It leaves notes of its own where it runs.
        with tempfile.TemporaryDirectory() as folder:
            status = subprocess.run(command, check=False, cwd=folder, timeout=240).returncode
    finally:
        ended.set()
        cancelling.join()
        web.close()
        pad.close()
    return status


sys.exit(main())
