"""The HTTP interface before a real pad. usage: test_service.py [unittest's arguments]"""
import base64
import hashlib
import http.client
import json
import os
import socket
import ssl
import subprocess
import tempfile
import threading
import time
import unittest

from web import PAGES, PARAPHD, PARAPH_WEB, Ink, JSON, Live, Pad, Web, drain, free_port, until

CONTROL = "mode = 0666\nwatch-strokes = yes\npress-buttons = yes"


class Quiet(unittest.TestCase):
    """Nobody is in front of the pad."""

    @classmethod
    def setUpClass(cls):
        cls.pad = Pad(PARAPHD, control=CONTROL)
        cls.web = Web(cls.pad.socket, "mirror = yes\npress = yes\norigins = https://shop.example")

    @classmethod
    def tearDownClass(cls):
        cls.web.close()
        cls.pad.close()

    def setUp(self):
        self.idle()

    def idle(self, seconds=20):
        until(lambda: self.web.state() == "idle", "the pad is idle", seconds)

    def test_the_pad_is_described(self):
        status, info = self.web.ask("GET", "/v1/info")
        self.assertEqual(status, 200)
        self.assertEqual((info["state"], info["web"]["mirror"], info["web"]["press"]), ("idle", True, True))
        self.assertEqual(info["panel"]["width"], 512)

    def test_the_pages_are_served(self):
        names = sorted(os.listdir(PAGES))
        self.assertIn("ink.wasm", names)
        for name in names:
            with open(os.path.join(PAGES, name), "rb") as file:
                content = file.read()
            served = json.loads(content) if name.endswith(".json") else content
            self.assertEqual(self.web.ask("GET", "/" + name), (200, served), name)
        for page, name in (("/", "index.html"), ("/kiosk", "kiosk.html")):
            self.assertEqual(self.web.ask("GET", page), self.web.ask("GET", "/" + name))

    def test_a_program_cancels(self):
        waiting = self.web.send("POST", "/v1/sign", {"reference": "a"})
        until(lambda: self.web.state() == "invited", "the pad asks")
        self.assertEqual(self.web.ask("POST", "/v1/cancel", {"reference": "b"})[0], 404)
        self.assertEqual(self.web.ask("POST", "/v1/cancel", {"reference": "a"})[0], 204)
        response = waiting.getresponse()
        self.assertEqual((response.status, json.load(response)), (200, {"state": "cancelled", "cancelled_by": "program"}))
        waiting.close()

    def test_a_time_limit_ends_a_request(self):
        self.assertEqual(self.web.ask("POST", "/v1/sign", {"time_limit": 0.2}), (200, {"state": "timed_out"}))

    def test_one_request_at_a_time(self):
        waiting = self.web.send("POST", "/v1/sign", {})
        until(lambda: self.web.state() == "invited", "the pad asks")
        status, problem = self.web.ask("POST", "/v1/sign", {"reference": "b"})
        self.assertEqual((status, problem["type"]), (409, "urn:paraph:error:Busy"))
        waiting.close()

    def test_a_client_without_a_reference_cancels_by_leaving(self):
        waiting = self.web.send("POST", "/v1/sign", {})
        until(lambda: self.web.state() == "invited", "the pad asks")
        waiting.close()
        until(lambda: self.web.state() == "cancelled", "the request is cancelled", 2)

    def test_a_client_with_a_reference_has_five_seconds(self):
        waiting = self.web.send("POST", "/v1/sign", {"reference": "a"})
        until(lambda: self.web.state() == "invited", "the pad asks")
        waiting.close()
        left = time.monotonic()
        until(lambda: self.web.state() == "cancelled", "the request is cancelled", 10)
        self.assertGreater(time.monotonic() - left, 4.9)
        self.assertLess(time.monotonic() - left, 6)

    def test_the_same_reference_resumes(self):
        self.web.send("POST", "/v1/sign", {"reference": "a"}).close()
        waiting = self.web.send("POST", "/v1/sign", {"reference": "a"})
        until(lambda: self.web.state() == "invited", "the pad asks")
        end = time.monotonic() + 6
        until(lambda: time.monotonic() > end, "more than the grace passes", 10)
        self.assertEqual(self.web.state(), "invited")
        self.assertEqual(self.web.ask("POST", "/v1/cancel", {})[0], 204)
        self.assertEqual(json.load(waiting.getresponse())["state"], "cancelled")
        waiting.close()

    def test_a_reset_connection_is_noticed_too(self):
        waiting = self.web.send("POST", "/v1/sign", {})
        until(lambda: self.web.state() == "invited", "the pad asks")
        waiting.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
        waiting.close()
        until(lambda: self.web.state() == "cancelled", "the request is cancelled", 2)

    def test_a_request_survives_a_crash_of_the_pad(self):
        waiting = self.web.send("POST", "/v1/sign", {"reference": "a"})
        until(lambda: self.web.state() == "invited", "the pad asks")
        until(lambda: self.pad.journal().request, "the journal has it")
        self.pad.end("KILL")
        status, problem = self.web.ask("GET", "/v1/info")
        self.assertEqual((status, problem["type"]), (503, "urn:paraph:error:Unreachable"))
        self.pad.start()
        until(lambda: self.web.ask("GET", "/v1/info")[1].get("state") == "invited", "the pad asks again")
        self.assertEqual(self.web.ask("POST", "/v1/cancel", {"reference": "a"})[0], 204)
        self.assertEqual(json.load(waiting.getresponse())["state"], "cancelled")
        waiting.close()

    def test_a_message_goes_with_its_client(self):
        waiting = self.web.send("POST", "/v1/show", {"text": "hello", "time_limit": 60})
        until(lambda: self.web.state() == "message", "the message is shown")
        waiting.close()
        until(lambda: self.web.state() == "idle", "the message is gone", 2)
        self.assertEqual(self.web.ask("POST", "/v1/show", {"text": "hello", "time_limit": 0.2}), (200, {"acknowledged": False}))

    def test_a_text_that_does_not_fit_says_how_much_does(self):
        status, problem = self.web.ask("POST", "/v1/sign", {"prompt": "word " * 400})
        self.assertEqual((status, problem["parameter"]), (400, "prompt"))
        self.assertGreater(problem["limit"], 20)

    def test_foreign_pages_reach_nothing(self):
        own = self.web.address
        for headers in (
            {"Origin": "https://evil.example"}, {"Origin": "null"}, {"Origin": "https://shop.example.evil"},
            {"Host": "evil.example"}, {"Host": "localhost"}, {"Host": f"evil.example:{self.web.port}"},
            {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"},
            {"Origin": own.replace("http:", "https:")},
        ):
            for method, path, body in (
                ("POST", "/v1/sign", {}), ("POST", "/v1/show", {"text": "x"}), ("GET", "/v1/info", None), ("GET", "/v1/live", None),
                ("OPTIONS", "/v1/sign", None),
            ):
                with self.subTest(headers=headers, path=path):
                    status, problem = self.web.ask(method, path, body, headers)
                    self.assertEqual((status, problem["type"]), (403, "urn:paraph:error:Forbidden"))
        self.assertEqual(self.web.state(), "idle")

    def test_simple_requests_change_nothing(self):
        for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data"):
            self.assertEqual(self.web.ask("POST", "/v1/sign", "{}", {"Content-Type": kind})[0], 415)
        self.assertEqual(self.web.state(), "idle")

    def test_an_allowed_page_may_ask(self):
        connection = self.web.send("OPTIONS", "/v1/sign", None, {
            "Origin": "https://shop.example", "Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "content-type"})
        response = connection.getresponse()
        response.read()
        self.assertEqual(response.status, 204)
        self.assertEqual(response.getheader("Access-Control-Allow-Origin"), "https://shop.example")
        connection.request("GET", "/v1/info", headers={"Origin": "https://shop.example"})
        response = connection.getresponse()
        self.assertEqual((response.status, response.getheader("Access-Control-Allow-Origin")), (200, "https://shop.example"))
        response.read()
        # A page of another server imports the module from this one.
        for name in ("paraph.js", "ink.wasm"):
            connection.request("GET", "/" + name, headers={"Origin": "https://shop.example", "Sec-Fetch-Site": "cross-site"})
            response = connection.getresponse()
            self.assertEqual((response.status, response.getheader("Access-Control-Allow-Origin")), (200, "https://shop.example"))
            response.read()
        connection.close()

    def raw(self, data, seconds=10):
        """What the server sends on a connection, until it closes or pauses."""
        with socket.create_connection(("127.0.0.1", self.web.port), timeout=seconds) as connection:
            connection.sendall(data)
            connection.settimeout(seconds)
            answer = b""
            try:
                while part := connection.recv(65536):
                    answer += part
            except (TimeoutError, ConnectionResetError):
                pass
            return answer

    def test_broken_requests_break_nothing(self):
        host = b"Host: 127.0.0.1:%d\r\n\r\n" % self.web.port
        for data in (
            b"\0" * 1000, b"GET\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"POST /v1/sign HTTP/1.1\r\n\r\n", b"A" * 100_000,
            b"GET /v1/info HTTP/1.1\r\nHost: localhost\r\nHost: evil\r\n\r\n",
            b"GET /v1/info HTTP/1.1\r\n" + b"X: y\r\n" * 20_000 + b"\r\n",
            b"POST /v1/sign HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n",
            b"POST /v1/sign HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzzz\r\n",
            b"GET /../../etc/passwd HTTP/1.1\r\n" + host, b"GET /%2e%2e/%2e%2e/etc/passwd HTTP/1.1\r\n" + host,
            b"GET /%2fetc/passwd HTTP/1.1\r\n" + host,
        ):
            with self.subTest(data[:60]):
                answer = self.raw(data, 1)
                self.assertNotIn(b"200 OK", answer)
                self.assertNotIn(b"root:", answer)
        self.assertEqual(self.web.state(), "idle")

    def test_a_large_body_is_refused(self):
        host = b"Host: 127.0.0.1:%d\r\nContent-Type: application/json\r\n" % self.web.port
        declared = self.raw(b"POST /v1/sign HTTP/1.1\r\n" + host + b"Content-Length: 99999999\r\n\r\n", 1)
        self.assertIn(b" 413 ", declared.split(b"\r\n")[0])
        chunk = b"8000\r\n" + b" " * 0x8000 + b"\r\n"
        chunked = self.raw(b"POST /v1/sign HTTP/1.1\r\n" + host + b"Transfer-Encoding: chunked\r\n\r\n" + chunk * 3 + b"0\r\n\r\n", 1)
        self.assertIn(b" 413 ", chunked.split(b"\r\n")[0])

    def test_half_a_request_waits_alone(self):
        with socket.create_connection(("127.0.0.1", self.web.port)) as connection:
            connection.sendall(b"POST /v1/sign HTTP/1.1\r\nHost: x\r\nContent-Le")
            self.assertEqual(self.web.state(), "idle")

    def test_head_does_not_watch_the_pad(self):
        for _ in range(3):
            connection = self.web.send("HEAD", "/v1/live")
            self.assertEqual(connection.getresponse().status, 200)
            connection.close()
        watching = f"/proc/{self.web.process.pid}/fd"
        until(lambda: len(os.listdir(watching)) < 16, "the connections to the pad are closed", 5)

    def test_a_unix_socket_serves_the_same(self):
        with socket.socket(socket.AF_UNIX) as connection:
            connection.connect(self.web.socket)
            connection.sendall(b"GET /v1/info HTTP/1.0\r\nHost: localhost\r\n\r\n")
            self.assertIn(b"200 OK", connection.recv(65536))

    def test_buttons_that_are_not_enabled_are_refused(self):
        status, problem = self.web.ask("POST", "/v1/done")
        self.assertEqual((status, problem["type"]), (409, "urn:paraph:error:NotEnabled"))

    def test_many_connections_are_bounded(self):
        held = []
        try:
            for _ in range(300):
                connection = socket.create_connection(("127.0.0.1", self.web.port))
                held.append(connection)
                connection.sendall(b"GET /v1/info HT")
            with open(f"/proc/{self.web.process.pid}/status") as status:
                peak = next(int(line.split()[1]) for line in status if line.startswith("VmRSS"))
            self.assertLess(peak, 60_000)
        finally:
            for connection in held:
                connection.close()
        until(lambda: self.web.state() == "idle", "it serves again")

    def test_it_needs_no_processor_at_rest(self):
        def switches():
            with open(f"/proc/{self.web.process.pid}/status") as status:
                return sum(int(line.split()[1]) for line in status if "ctxt_switches" in line)

        until(lambda: self.settled(switches), "it comes to rest")

    def settled(self, switches):
        before = switches()
        end = time.monotonic() + 3
        until(lambda: time.monotonic() > end, "three seconds pass")
        return switches() == before


class Signed(unittest.TestCase):
    """A recorded hand signs."""

    def setUp(self):
        self.pad = Pad(PARAPHD, signs={"strokes": 3, "reports": 60}, control=CONTROL)
        self.web = Web(self.pad.socket, "mirror = yes\npress = yes")

    def tearDown(self):
        self.web.close()
        self.pad.close()

    def test_a_signature_arrives_in_all_formats_and_mirrored_to_the_number(self):
        live, ink, names = Live(self.web), Ink(), []
        result = {}

        def ask():
            result.update(self.web.ask("POST", "/v1/sign", {"reference": "4711", "formats": ["png", "svg", "inkml", "strokes"]})[1])

        asking = threading.Thread(target=ask)
        asking.start()
        finished = None
        for number, name, data in live.events():
            names.append(name)
            ink.take(name, data)
            if name == "end":
                finished = ink.plain()
                self.assertEqual(data, {"signature": ink.signature, "outcome": "saved"})
                break
        asking.join()
        live.close()
        signature = result["signature"]
        png = base64.b64decode(signature["png"])
        self.assertEqual(hashlib.sha256(png).hexdigest(), signature["digest"])
        self.assertIn(b"<svg", base64.b64decode(signature["svg"]))
        self.assertEqual(self.web.ask("GET", f"/v1/signatures/{signature['id']}.png"), (200, png))
        self.assertEqual(self.web.ask("GET", f"/v1/signatures/{signature['id']}")[1]["digest"], signature["digest"])
        self.assertEqual((ink.begin["width"], ink.begin["height"], ink.begin["pen"]["model"]), (512, 286, "polyline"))
        self.assertEqual(finished, signature["strokes"])

    def test_a_reader_that_comes_late_or_again_has_all_ink(self):
        waiting = self.web.send("POST", "/v1/sign", {"reference": "a", "formats": ["strokes"]})
        first, early = Live(self.web), Ink()
        last = None
        for number, name, data in first.events():
            early.take(name, data)
            if len(early.strokes) == 2:
                last = number
                break
        first.close()
        late, ink = Live(self.web), Ink()
        # One that returns gets what it has not seen.
        again = Live(self.web, headers={"Last-Event-ID": str(last)})
        for reader, have in ((late, ink), (again, early)):
            for number, name, data in reader.events():
                if name == "end":
                    break
                have.take(name, data)
            reader.close()
        strokes = json.load(waiting.getresponse())["signature"]["strokes"]
        waiting.close()
        self.assertEqual(ink.plain(), strokes)
        self.assertEqual(early.plain(), strokes)

    def test_a_hundred_readers_see_the_same_and_one_that_does_not_read_is_alone(self):
        stalled = Live(self.web)
        readers = [Live(self.web) for _ in range(100)]
        results, guard = [], threading.Lock()

        def follow(reader):
            ink = Ink()
            for _, name, data in reader.events():
                if name == "end":
                    break
                ink.take(name, data)
            with guard:
                results.append(ink.plain())
            reader.close()

        threads = [threading.Thread(target=follow, args=(reader,)) for reader in readers]
        for thread in threads:
            thread.start()
        signature = self.web.ask("POST", "/v1/sign", {"formats": ["strokes"]})[1]["signature"]
        for thread in threads:
            thread.join(30)
        self.assertEqual(len(results), 100)
        self.assertTrue(all(strokes == signature["strokes"] for strokes in results))
        stalled.close()

    def test_the_counter_presses_clear_and_done(self):
        waiting = self.web.send("POST", "/v1/sign", {"reference": "a", "formats": []})
        live, ink = Live(self.web), Ink()
        pressed = cleared = False
        for _, name, data in live.events():
            ink.take(name, data)
            if name == "ink" and not pressed:
                pressed = self.web.ask("POST", "/v1/clear")[0]
                self.assertEqual(pressed, 204)
            cleared = cleared or name == "clear"
            if cleared and len(ink.strokes) == 2:
                self.assertEqual(self.web.ask("POST", "/v1/done")[0], 204)
                break
        live.close()
        self.assertEqual(json.load(waiting.getresponse())["state"], "saved")
        waiting.close()

    def test_a_result_whose_client_is_gone_waits_for_the_reference(self):
        waiting = self.web.send("POST", "/v1/sign", {"reference": "a"})
        until(lambda: self.web.state() == "signing", "the person signs")
        # Gone for less than the grace.
        until(lambda: self.web.state() == "confirming" or len(os.listdir(self.pad.path("spool", "new"))) == 1, "Done is pressed")
        waiting.close()
        status, result = self.web.ask("POST", "/v1/sign", {"reference": "a"})
        self.assertEqual((status, result["state"]), (200, "saved"))
        self.assertEqual(len(self.pad.items()), 1)


class Refused(unittest.TestCase):
    def test_without_configuration_no_ink_is_mirrored(self):
        pad = Pad(PARAPHD, signs={"strokes": 1, "reports": 50}, control="mode = 0666")
        for line, rule in (("", "config: none"), ("mirror = yes", "the pad refuses")):
            web = Web(pad.socket, line)
            live = Live(web)
            signed = threading.Thread(target=lambda: web.ask("POST", "/v1/sign", {}))
            signed.start()
            names = []
            for _, name, _ in live.events():
                names.append(name)
                if name == "end":
                    break
            signed.join()
            live.close()
            self.assertEqual(set(names), {"state", "end"})
            self.assertEqual(rule in web.text(), bool(line))
            self.assertFalse(web.ask("GET", "/v1/info")[1]["web"]["mirror"] and not line)
            web.close()
        pad.close()

    def test_without_a_pad_it_says_so(self):
        web = Web("/nonexistent/socket")
        status, problem = web.ask("POST", "/v1/sign", {"reference": "a"})
        self.assertEqual((status, problem["type"]), (503, "urn:paraph:error:Unreachable"))
        live = Live(web)
        self.assertEqual(next(live.events())[1:], ("state", {"state": "unreachable"}))
        live.close()
        web.close()

    def test_a_pad_that_lies_is_a_bad_gateway(self):
        folder = Web("/nonexistent/socket")
        path = folder.path("lying.sock")
        answers = [b"\xff\xfe\0", b"{}\0", b"[" * 100_000 + b"\0", b'{"error":"x"}\0', b'{"parameters":5}\0', b"", b'{"continues":true}\0']
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(path)
            listener.listen()

            def lie():
                for answer in answers:
                    connection, _ = listener.accept()
                    connection.recv(65536)
                    connection.sendall(answer)
                    connection.close()

            liar = threading.Thread(target=lie)
            liar.start()
            web = Web(path)
            statuses = [web.ask("GET", "/v1/info")[0] for _ in answers]
            liar.join()
            self.assertEqual(web.process.poll(), None)
            self.assertEqual(statuses[0], 503)
            self.assertEqual(statuses[3], 502)
            self.assertTrue(all(status in (200, 502, 503) for status in statuses), statuses)
            web.close()
        folder.close()


class Network(unittest.TestCase):
    """Beyond this machine: TLS and tokens."""

    HASH = hashlib.sha256(b"secret").hexdigest()

    @classmethod
    def setUpClass(cls):
        cls.pad = Pad(PARAPHD, control=CONTROL)
        cls.port = free_port()
        cls.files = tempfile.TemporaryDirectory(prefix="paraph-tls-")
        cls.make("one")
        # 0.0.0.0 is beyond this machine.
        cls.web = Web(
            cls.pad.socket, f"hosts = pad.example:{cls.port}\ncertificate = {cls.path('cert.pem')}\nkey = {cls.path('key.pem')}\nmirror = yes",
            f"[token shop]\nhash = {cls.HASH}\npermissions = ask", also=f"0.0.0.0:{cls.port}")

    @classmethod
    def path(cls, name):
        return os.path.join(cls.files.name, name)

    @classmethod
    def tearDownClass(cls):
        cls.web.close()
        cls.pad.close()
        cls.files.cleanup()

    @classmethod
    def make(cls, name):
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", f"/CN={name}",
             "-keyout", cls.path("key.new"), "-out", cls.path("cert.new")], check=True, stderr=subprocess.DEVNULL)
        os.replace(cls.path("key.new"), cls.path("key.pem"))
        os.replace(cls.path("cert.new"), cls.path("cert.pem"))

    def secure(self):
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        return context.wrap_socket(socket.create_connection(("127.0.0.1", self.port), timeout=10))

    def status(self, path, *headers, connection=None):
        own = connection or self.secure()
        lines = [f"GET {path} HTTP/1.1", f"Host: pad.example:{self.port}", *headers]
        own.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())
        response = http.client.HTTPResponse(own)
        response.begin()
        response.read()
        if not connection:
            own.close()
        return response.status

    def name(self, connection):
        text = ssl.DER_cert_to_PEM_cert(connection.getpeercert(binary_form=True))
        return subprocess.run(["openssl", "x509", "-noout", "-subject"], input=text, text=True, capture_output=True, check=True).stdout

    def test_the_network_needs_a_token(self):
        self.assertEqual(self.status("/v1/info"), 401)
        self.assertEqual(self.status("/v1/info", "Authorization: Bearer wrong"), 401)
        self.assertEqual(self.status("/v1/info", "Authorization: Bearer secret"), 200)
        self.assertEqual(self.status("/v1/info", "Authorization: Bearer secret", f"Origin: https://pad.example:{self.port}"), 200)
        self.assertEqual(self.status("/v1/info", "Authorization: Bearer secret", "Origin: https://evil.example"), 403)

    def test_the_network_needs_tls(self):
        with socket.create_connection(("127.0.0.1", self.port), timeout=10) as plain:
            plain.sendall(f"GET /v1/info HTTP/1.1\r\nHost: pad.example:{self.port}\r\n\r\n".encode())
            try:
                self.assertNotIn(b"200", plain.recv(100))
            except ConnectionResetError:
                pass

    def test_a_new_certificate_serves_new_connections_and_the_old_one_its_own(self):
        old = self.secure()
        self.assertEqual(self.status("/v1/info", "Authorization: Bearer secret", connection=old), 200)
        self.make("two")
        new = self.secure()
        self.assertIn("CN = two", self.name(new))
        self.assertEqual(self.status("/v1/info", "Authorization: Bearer secret", connection=old), 200)
        old.close()
        new.close()
        # A broken one changes nothing.
        with open(self.path("cert.pem"), "w") as file:
            file.write("nonsense")
        still = self.secure()
        self.assertIn("CN = two", self.name(still))
        still.close()
        self.assertIn("the former certificate stays in use", self.web.text())
        self.make("three")
        self.assertIn("CN = three", self.name(self.secure()))


class Activated(unittest.TestCase):
    def test_systemd_passes_the_socket(self):
        pad = Pad(PARAPHD)
        web = Web(pad.socket, activated=True)
        self.assertEqual(web.state(), "idle")
        web.close()
        pad.close()

    def test_a_socket_beyond_this_machine_needs_a_certificate(self):
        web = Web("/nonexistent")
        with socket.create_server(("0.0.0.0", 0)) as listener:
            script = f'LISTEN_PID=$$ LISTEN_FDS=1 exec "$@" 3<&{listener.fileno()}'
            ended = subprocess.run(
                ["bash", "-c", script, "bash", PARAPH_WEB, "-c", web.path("web.conf")],
                pass_fds=[listener.fileno()], capture_output=True, text=True, timeout=20)
        self.assertEqual(ended.returncode, 78)
        self.assertIn("certificate and key are missing", ended.stderr)
        web.close()


if __name__ == "__main__":
    unittest.main()
