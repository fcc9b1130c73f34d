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
import warnings
import zlib

from web import PAGES, PARAPHD, PARAPH_WEB, Ink, JSON, Live, Pad, Shelf, Told, Web, free_port, hand, png, press, until

# HTTPDaemon.connectionLimit, and addressLimit.
CONNECTIONS = 192
ADDRESS_CONNECTIONS = 160
CONTROL = "mode = 0666\nwatch-strokes = yes\npress-buttons = yes"


def rest(connection):
    """What a server sends until it closes the connection, whether it has read all or not."""
    received = b""
    try:
        while part := connection.recv(65536):
            received += part
    except ConnectionError:
        pass
    return received


class Quiet(unittest.TestCase):
    """Nobody is in front of the pad."""

    # For each test: a pad says for two seconds that a request was cancelled.
    def setUp(self):
        self.pad = Pad(PARAPHD, control=CONTROL)
        self.web = Web(self.pad.socket, "mirror = yes\npress = yes\norigins = https://shop.example")

    def tearDown(self):
        self.web.close()
        self.pad.close()

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

    def test_metrics_are_the_file_of_paraph_handoff(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "paraph.prom")
            web = Web(self.pad.socket, f"metrics = {path}")
            try:
                connection = web.send("GET", "/metrics")
                response = connection.getresponse()
                response.read()
                self.assertEqual(response.status, 503)
                with open(path, "w") as file:
                    file.write("paraph_pad_touch 1\n")
                connection.request("GET", "/metrics")
                response = connection.getresponse()
                self.assertEqual((response.status, response.read()), (200, b"paraph_pad_touch 1\n"))
                self.assertEqual(response.getheader("Content-Type"), "text/plain; version=0.0.4; charset=utf-8")
                connection.close()
            finally:
                web.close()

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
        left = time.monotonic()
        waiting.close()
        until(lambda: self.web.state() == "cancelled", "the request is cancelled", 30)
        self.assertGreater(time.monotonic() - left, 4.9)

    def test_the_same_reference_resumes(self):
        self.web.send("POST", "/v1/sign", {"reference": "a"}).close()
        until(lambda: self.web.state() == "invited", "the pad asks")
        waiting = self.web.send("POST", "/v1/sign", {"reference": "a"})
        # The pad would refuse a second request.
        self.assertEqual(self.web.ask("POST", "/v1/sign", {"reference": "b"})[0], 409)
        self.assertEqual(self.web.ask("POST", "/v1/cancel", {})[0], 204)
        self.assertEqual(json.load(waiting.getresponse())["state"], "cancelled")
        waiting.close()

    def test_a_cancelled_request_is_not_the_answer_to_the_next_one(self):
        # As a page does it that closes: its request breaks, and it sends a beacon.
        page = {"Origin": self.web.address, "Content-Type": "text/plain;charset=UTF-8"}
        waiting = self.web.send("POST", "/v1/sign", {"reference": "4711"})
        until(lambda: self.web.state() == "invited", "the pad asks")
        waiting.close()
        self.assertEqual(self.web.ask("POST", "/v1/cancel", '{"reference":"4711"}', page)[0], 204)
        waiting = self.web.send("POST", "/v1/sign", {"reference": "4711"})
        until(lambda: self.web.state() == "invited", "the pad asks again", 10)
        self.assertEqual(self.web.ask("POST", "/v1/cancel", {"reference": "4711"})[0], 204)
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

    def test_a_question_goes_with_its_client_and_ends_in_time(self):
        question = {"text": "Which door?", "choices": ["Front", "Back"]}
        waiting = self.web.send("POST", "/v1/ask", {**question, "time_limit": 60})
        until(lambda: self.web.state() == "question", "the question is asked")
        self.assertEqual(self.web.ask("POST", "/v1/ask", question)[0], 409)
        waiting.close()
        until(lambda: self.web.state() == "idle", "the question is gone", 5)
        self.assertEqual(self.web.ask("POST", "/v1/ask", {**question, "time_limit": 0.2}), (200, {"outcome": "timed_out"}))
        # Too few, and too many bytes in too few letters.
        for choices in (["a"], ["a", "é" * 101]):
            status, problem = self.web.ask("POST", "/v1/ask", {"text": "x", "choices": choices})
            self.assertEqual((status, problem["parameter"]), (400, "choices"))

    def test_a_question_of_other_letters_is_cancelled_by_another_client(self):
        waiting = self.web.send("POST", "/v1/ask", {"text": "Welche Tür?", "choices": ["Vorn", "Rückseite"], "time_limit": 60})
        until(lambda: self.web.state() == "question", "the question is asked")
        self.assertEqual(self.web.ask("POST", "/v1/cancel", {})[0], 204)
        self.assertEqual(json.load(waiting.getresponse()), {"outcome": "cancelled", "cancelled_by": "program"})
        waiting.close()

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
                ("OPTIONS", "/v1/sign", None), ("PUT", "/v1/documents/a/1", b"x"), ("OPTIONS", "/v1/documents/a/1", None),
            ):
                with self.subTest(headers=headers, path=path):
                    status, problem = self.web.ask(method, path, body, headers)
                    self.assertEqual((status, problem["type"]), (403, "urn:paraph:error:Forbidden"))
        self.assertEqual(self.web.state(), "idle")

    def test_simple_requests_change_nothing(self):
        for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data"):
            self.assertEqual(self.web.ask("POST", "/v1/sign", "{}", {"Content-Type": kind})[0], 415)
            self.assertEqual(self.web.ask("POST", "/v1/clear", "", {"Content-Type": kind})[0], 415)
        self.assertEqual(self.web.ask("POST", "/v1/done")[0], 415)
        self.assertEqual(self.web.state(), "idle")

    def test_an_allowed_page_may_ask(self):
        connection = self.web.send("OPTIONS", "/v1/sign", None, {
            "Origin": "https://shop.example", "Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "content-type"})
        response = connection.getresponse()
        response.read()
        self.assertEqual(response.status, 204)
        self.assertIn("PUT", response.getheader("Access-Control-Allow-Methods").split(", "))
        self.assertEqual(response.getheader("Access-Control-Allow-Origin"), "https://shop.example")
        connection.request("GET", "/v1/info", headers={"Origin": "https://shop.example"})
        response = connection.getresponse()
        self.assertEqual((response.status, response.getheader("Access-Control-Allow-Origin")), (200, "https://shop.example"))
        response.read()
        # It also loads the module and the ink.
        for path, status in (("/paraph.js", 200), ("/v1/openapi.json", 200), ("/none.js", 404)):
            for origin in ("https://shop.example", None):
                with self.subTest(path=path, origin=origin):
                    connection.request("GET", path, headers={"Origin": origin} if origin else {})
                    response = connection.getresponse()
                    response.read()
                    self.assertEqual((response.status, response.getheader("Vary")), (status, "Origin"))
                    self.assertEqual(response.getheader("Access-Control-Allow-Origin"), origin)
                    self.assertEqual(response.getheader("Cross-Origin-Resource-Policy"), None if origin else "same-origin")
        connection.close()

    def test_a_name_that_is_no_file_is_not_worth_a_line(self):
        self.assertEqual(self.web.ask("GET", "/paraph.js/none.js")[0], 404)
        self.assertNotIn("[web] pages", self.web.text())

    def raw(self, data):
        """The response to these bytes; less if the server closes the connection."""
        with socket.create_connection(("127.0.0.1", self.web.port), timeout=10) as connection:
            try:
                connection.sendall(data)
            except ConnectionError:
                # It has answered before it has read all.
                pass
            answer = b""
            try:
                while part := connection.recv(65536):
                    answer += part
                    head, end, body = answer.partition(b"\r\n\r\n")
                    lengths = [int(line[16:]) for line in head.split(b"\r\n") if line.startswith(b"Content-Length: ")]
                    if end and len(body) >= sum(lengths):
                        break
            except ConnectionError:
                pass
            return answer

    def test_broken_requests_break_nothing(self):
        host = b"Host: 127.0.0.1:%d\r\n\r\n" % self.web.port
        for data, start in (
            (b"GET\r\n\r\n", b""), (b"GET / HTTP/9.9\r\n\r\n", b"HTTP/1.1 505 "),
            (b"POST /v1/sign HTTP/1.1\r\n\r\n", b"HTTP/1.1 400 "), (b"A" * 100_000, b"HTTP/1.1 414 "),
            (b"GET /v1/info HTTP/1.1\r\nHost: localhost\r\nHost: evil\r\n\r\n", b"HTTP/1.1 400 "),
            (b"GET /v1/info HTTP/1.1\r\n" + b"X: y\r\n" * 20_000 + b"\r\n", b"HTTP/1.1 431 "),
            (b"POST /v1/sign HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n", b"HTTP/1.1 400 "),
            (b"POST /v1/sign HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzzz\r\n", b"HTTP/1.1 403 "),
            (b"GET /../../etc/passwd HTTP/1.1\r\n" + host, b"HTTP/1.1 404 "),
            (b"GET /%2e%2e/%2e%2e/etc/passwd HTTP/1.1\r\n" + host, b"HTTP/1.1 404 "),
            (b"GET /%2fetc/passwd HTTP/1.1\r\n" + host, b"HTTP/1.1 404 "),
        ):
            with self.subTest(data[:60]):
                answer = self.raw(data)
                self.assertEqual(answer[:len(start)] if start else answer, start)
                self.assertNotIn(b"root:", answer)
        self.assertEqual(self.web.state(), "idle")

    def test_a_request_whose_end_is_ambiguous_ends_the_connection(self):
        # A proxy before this server could take what follows for another client's request.
        start = b"POST /v1/cancel HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nContent-Type: application/json\r\n" % self.web.port
        chunks, behind = b"2\r\n{}\r\n0\r\n\r\n", b"GET /v1/info HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n" % self.web.port
        for headers, body in (
            (b"Content-Length: 12\r\nTransfer-Encoding: chunked\r\n", chunks),
            (b"Content-Length: 2\r\nContent-Length: 12\r\n", b"{}"),
            (b"Transfer-Encoding: gzip\r\n", chunks), (b"Transfer-Encoding: gzip, chunked\r\n", chunks),
            (b"Transfer-Encoding : chunked\r\nContent-Length: 2\r\n", b"{}"),
            (b"X\tY: z\r\nContent-Length: 2\r\n", b"{}"),
        ):
            with self.subTest(headers), socket.create_connection(("127.0.0.1", self.web.port), timeout=10) as connection:
                connection.sendall(start + headers + b"\r\n" + body + behind)
                answer = rest(connection)
                self.assertEqual([line for line in answer.split(b"\r\n") if line.startswith(b"HTTP/1.1 ")], [b"HTTP/1.1 400 Bad Request"])
                self.assertNotIn(b"NoRequest", answer)
        chunked = self.raw(start + b"Transfer-Encoding: Chunked\r\n\r\n" + chunks)
        self.assertIn(b"NoRequest", chunked)

    def test_a_large_body_is_refused(self):
        host = b"Host: 127.0.0.1:%d\r\nContent-Type: application/json\r\n" % self.web.port
        declared = self.raw(b"POST /v1/sign HTTP/1.1\r\n" + host + b"Content-Length: 99999999\r\n\r\n")
        self.assertIn(b" 413 ", declared.split(b"\r\n")[0])
        chunk = b"8000\r\n" + b" " * 0x8000 + b"\r\n"
        chunked = self.raw(b"POST /v1/sign HTTP/1.1\r\n" + host + b"Transfer-Encoding: chunked\r\n\r\n" + chunk * 3 + b"0\r\n\r\n")
        self.assertIn(b" 413 ", chunked.split(b"\r\n")[0])

    def test_half_a_request_waits_alone(self):
        for half in (b"POST /v1/sign HTTP/1.1\r\nHost: x\r\nContent-Le", b"\0" * 1000):
            with socket.create_connection(("127.0.0.1", self.web.port)) as connection:
                connection.sendall(half)
                self.assertEqual(self.web.state(), "idle")
                self.assertFalse(self.is_closed(connection))

    def test_a_silent_peer_is_given_up_within_half_a_minute(self):
        with socket.create_connection(("127.0.0.1", self.web.port)) as connection:
            with until(lambda: self.web.accepted(connection), "the connection is accepted") as end:
                idle, interval, unanswered = (end.getsockopt(socket.IPPROTO_TCP, option) for option in (
                    socket.TCP_KEEPIDLE, socket.TCP_KEEPINTVL, socket.TCP_USER_TIMEOUT))
                self.assertTrue(end.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE))
        # tcp_keepalive_timer of net/ipv4/tcp_timer.c: at a probe's time, if one was not answered.
        self.assertLessEqual(max(idle + interval, unanswered / 1000), 30)

    def test_head_does_not_watch_the_pad(self):
        until(self.web.rests, "it comes to rest")
        before = self.web.descriptors()
        for _ in range(3):
            connection = self.web.send("HEAD", "/v1/live")
            response = connection.getresponse()
            self.assertEqual((response.status, response.getheader("Content-Type")), (200, "text/event-stream"))
            connection.close()
        until(self.web.rests, "it comes to rest again", 5)
        self.assertEqual(self.web.descriptors(), before)

    def test_a_unix_socket_serves_the_same(self):
        with socket.socket(socket.AF_UNIX) as connection:
            connection.connect(self.web.socket)
            connection.sendall(b"GET /v1/info HTTP/1.0\r\nHost: localhost\r\n\r\n")
            self.assertIn(b"200 OK", connection.recv(65536))

    def test_buttons_that_are_not_enabled_are_refused(self):
        status, problem = self.web.ask("POST", "/v1/done", {})
        self.assertEqual((status, problem["type"]), (409, "urn:paraph:error:NotEnabled"))

    def test_many_connections_are_bounded(self):
        until(self.web.rests, "it comes to rest")
        descriptors, memory = self.web.descriptors(), self.web.memory()
        held = []
        try:
            for _ in range(300):
                connection = socket.create_connection(("127.0.0.1", self.web.port))
                held.append(connection)
                try:
                    connection.sendall(b"GET /v1/info HT")
                except ConnectionError:
                    pass
            until(lambda: sum(map(self.is_closed, held)) == 300 - CONNECTIONS, "those above the limit are closed")
            self.assertEqual(self.web.descriptors(), descriptors + CONNECTIONS)
            # 16 KiB for each, with the allocator's own.
            self.assertLess(self.web.memory() - memory, 32 * CONNECTIONS)
        finally:
            for connection in held:
                connection.close()
        # Until then, a new connection is above the limit and is rejected.
        until(lambda: self.web.descriptors() == descriptors, "it has closed its ends")
        self.assertEqual(self.web.state(), "idle")

    @staticmethod
    def is_closed(connection):
        try:
            return not connection.recv(1, socket.MSG_DONTWAIT)
        except BlockingIOError:
            return False
        except ConnectionError:
            return True

    def test_it_needs_no_processor_at_rest(self):
        until(self.web.rests, "it waits without a time limit")


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

    def test_a_hundred_readers_see_the_same(self):
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

    def test_the_counter_presses_clear_and_done(self):
        waiting = self.web.send("POST", "/v1/sign", {"reference": "a", "formats": []})
        live, ink = Live(self.web), Ink()
        pressed = cleared = False
        for _, name, data in live.events():
            ink.take(name, data)
            if name == "ink" and not pressed:
                pressed = self.web.ask("POST", "/v1/clear", {})[0]
                self.assertEqual(pressed, 204)
            cleared = cleared or name == "clear"
            if cleared and len(ink.strokes) == 2:
                self.assertEqual(self.web.ask("POST", "/v1/done", {})[0], 204)
                break
        live.close()
        self.assertEqual(json.load(waiting.getresponse())["state"], "saved")
        waiting.close()

    def test_a_result_that_the_network_has_lost_waits_for_the_reference(self):
        with socket.socket() as lost:
            # The kernel of a client that is away acknowledges no more than it had room for.
            lost.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1)
            lost.connect(("127.0.0.1", self.web.port))
            body = b'{"reference":"a","formats":["png","strokes"]}'
            lost.sendall(b"POST /v1/sign HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nContent-Type: application/json\r\n"
                         b"Content-Length: %d\r\n\r\n%s" % (self.web.port, len(body), body))
            lost.settimeout(60)
            self.assertIn(b"200 OK", lost.recv(100, socket.MSG_PEEK))
            # Whatever comes next is served when the kernel has the whole response.
            self.assertEqual(self.web.ask("GET", "/v1/info")[0], 200)
        status, first = self.web.ask("POST", "/v1/sign", {"reference": "a"})
        self.assertEqual((status, first["state"], len(self.pad.items())), (200, "saved", 1))
        # This client has read it: to ask again is another request.
        second = self.web.ask("POST", "/v1/sign", {"reference": "a"})[1]
        self.assertEqual((second["state"], len(self.pad.items())), ("saved", 2))
        self.assertNotEqual(first["signature"]["id"], second["signature"]["id"])

    def test_a_result_that_a_web_server_did_not_read_waits_for_the_reference(self):
        with socket.socket(socket.AF_UNIX) as proxy:
            proxy.connect(self.web.socket)
            body = b'{"reference":"a","formats":["png"]}'
            proxy.sendall(b"POST /v1/sign HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                          b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
            proxy.settimeout(60)
            self.assertIn(b"200 OK", proxy.recv(100, socket.MSG_PEEK))
        status, again = self.web.ask("POST", "/v1/sign", {"reference": "a"})
        self.assertEqual((status, again["state"], len(self.pad.items())), (200, "saved", 1))


class Gone(unittest.TestCase):
    """The client goes away, and a hand signs that leaves Done to the test."""

    def test_a_result_whose_client_is_gone_waits_for_the_reference(self):
        pad = Pad(PARAPHD, signs={"strokes": 1, "reports": 60, "done": False}, control=CONTROL)
        self.addCleanup(pad.close)
        web = Web(pad.socket)
        self.addCleanup(web.close)
        waiting = web.send("POST", "/v1/sign", {"reference": "a"})
        until(lambda: web.state() == "signing", "the person signs")
        # The client has left when paraph-web reads the pad's reply, and is gone for less than the grace.
        with web.stopped():
            # Done wipes a stroke that is too short.
            until(lambda: pad.journal().strokes > 1, "a stroke is drawn")
            self.assertTrue(press(pad, "done"))
            until(pad.items, "the signature is published")
            waiting.close()
        status, result = web.ask("POST", "/v1/sign", {"reference": "a"})
        self.assertEqual((status, result["state"], len(pad.items())), (200, "saved", 1))


class Refused(unittest.TestCase):
    def test_without_configuration_no_ink_is_mirrored(self):
        pad = Pad(PARAPHD, signs={"strokes": 1, "reports": 50}, control="mode = 0666")
        for line, rule in (("", "config: none"), ("mirror = yes", "the pad refuses")):
            web = Web(pad.socket, line)
            self.assertFalse(web.ask("GET", "/v1/info")[1]["web"]["mirror"])
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
            self.assertFalse(web.ask("GET", "/v1/info")[1]["web"]["mirror"])
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
            self.assertEqual(statuses, [502, 200, 502, 502, 200, 503, 200])
            web.close()
        folder.close()

    def test_a_reply_that_is_none_is_not_asked_for_again(self):
        pad = Told()
        web = Web(pad.path)
        connection = web.connection(10)
        connection.request("POST", "/v1/sign", '{"reference":"a"}', JSON)
        call, _ = pad.call()
        call.sendall(b"nonsense\0")
        response = connection.getresponse()
        self.assertEqual((response.status, json.load(response)["type"]), (502, "urn:paraph:error:InvalidReply"))
        connection.close()
        call.close()
        web.close()
        pad.close()

    def test_a_reader_that_does_not_read_is_dropped_alone(self):
        pad = Told()
        web = Web(pad.path)
        stalled = socket.socket()
        stalled.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1)
        stalled.connect(("127.0.0.1", web.port))
        stalled.sendall(b"GET /v1/live HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n" % web.port)
        watch, method = pad.call()
        self.assertEqual(method, "Watch")
        reader = Live(web)
        events = reader.events()

        def say(states):
            for state in states:
                reply = {"parameters": {"state": state}, "continues": True}
                watch.sendall(json.dumps(reply).encode() + b"\0")
            for state in states:
                self.assertEqual(next(events)[1:], ("state", {"state": state}))

        # The kernel holds 256 KiB for a reader, and the program 512 events.
        names = [f"{number:04} {'x' * 1000}" for number in range(1200)]
        say(names[:1])
        for begin in range(1, len(names), 50):
            say(names[begin:begin + 50])
        stalled.settimeout(10)
        text = rest(stalled)
        self.assertIn(names[0].encode(), text)
        self.assertNotIn(names[-1].encode(), text)
        self.assertLess(text.count(b"event: state"), len(names) - 512)
        say(["idle"])
        stalled.close()
        reader.close()
        watch.close()
        web.close()
        pad.close()


class Read(unittest.TestCase):
    """Documents before the real pad."""
    # Low enough to be on the glass as a whole.
    PAGES = [png(400, 150, 200), png(300, 100, 230)]
    DIGEST = hashlib.sha256(b"original").hexdigest()

    def start(self, signs=False):
        self.pad = Pad(PARAPHD, signs=signs, control=CONTROL)
        self.addCleanup(self.pad.close)
        self.web = Web(self.pad.socket)
        self.addCleanup(self.web.close)

    def put(self, number, page, kind="image/png"):
        return self.web.ask("PUT", f"/v1/documents/d/{number}", page, {"Content-Type": kind})

    def request(self, **more):
        return {"reference": "4711", "document": {"id": "d", "name": "Contract.pdf", "digest": self.DIGEST, "pages": 2, **more}}

    def kept(self):
        """The files of pages that the pad has."""
        return [name for _, _, names in os.walk(os.path.join(self.pad.runtime, "documents")) for name in names]

    def read(self):
        """The numbers of the pages that the hand of the pad shows, one after the other, and the document of its signature."""
        live, shown = Live(self.web), []
        for number, page in enumerate(self.PAGES, 1):
            self.assertEqual(self.put(number, page), (204, b""))
        result = {}
        asking = threading.Thread(target=lambda: result.update(self.web.ask("POST", "/v1/sign", self.request())[1]))
        asking.start()
        for _, name, data in live.events():
            if name == "state" and data["state"] == "reading":
                shown.append(data["page"])
            if name == "end":
                break
        asking.join()
        live.close()
        until(lambda: not self.kept(), "the pages are discarded", 10)
        return shown, result["signature"]["document"]

    def test_two_pages_are_read_and_signed(self):
        self.start({"strokes": 1, "reports": 12, "pause": 0.005, "swipes": 1})
        # The hand does not wait for the pad: it can turn the first page before that is painted, which then has no time.
        for _ in range(5):
            shown, document = self.read()
            self.assertEqual((shown[0], max(shown)), (1, 2))
            self.assertEqual((document["name"], document["digest"]), ("Contract.pdf", self.DIGEST))
            self.assertEqual([page["digest"] for page in document["pages"]], [hashlib.sha256(page).hexdigest() for page in self.PAGES])
            first, last = (page["seconds"] for page in document["pages"])
            self.assertGreater(last, 0)
            if first > 0:
                return
        self.fail("the first page was never on the glass")

    def test_bad_pages_are_problems_with_their_number(self):
        self.start()
        wide = bytearray(self.PAGES[1])
        wide[16:20] = (30_000).to_bytes(4, "big")
        wide[29:33] = zlib.crc32(wide[12:29]).to_bytes(4, "big")
        damaged = bytearray(self.PAGES[1])
        damaged[45] ^= 0xFF
        for page in (b"\x89PNG and no more" + bytes(100), bytes(damaged), bytes(wide)):
            status, problem = self.put(2, page)
            self.assertEqual((status, problem["type"], problem["page"]), (400, "urn:paraph:error:BadDocument", 2))
        self.assertEqual(self.put(51, self.PAGES[0])[1]["page"], 51)
        status, problem = self.put(1, b"bell \x07", "text/plain")
        self.assertEqual((status, problem["page"]), (400, 1))
        self.assertEqual(self.web.state(), "idle")

    def test_a_page_that_never_came_or_is_incomplete_is_a_problem(self):
        self.start()
        for last in (None, self.PAGES[1][:-20]):
            self.assertEqual(self.put(1, self.PAGES[0])[0], 204)
            if last:
                status, problem = self.put(2, last)
                self.assertEqual((status, problem["page"], problem["reason"]), (400, 2, "the page is incomplete"))
            status, problem = self.web.ask("POST", "/v1/sign", self.request())
            self.assertEqual((status, problem["type"], problem["page"]), (400, "urn:paraph:error:BadDocument", 2))
        self.assertEqual(self.web.state(), "idle")
        until(lambda: not self.kept(), "the pages are discarded", 10)

    def test_a_program_cancels_while_the_person_reads(self):
        self.start()
        self.assertEqual(self.put(1, "Größe\n".encode() * 300, "text/plain;charset=utf-8")[0], 204)
        waiting = self.web.send("POST", "/v1/sign", self.request(pages=1))
        until(lambda: self.web.state() == "reading", "the person reads")
        self.assertNotEqual(self.kept(), [])
        self.assertEqual(self.web.ask("POST", "/v1/cancel", {"reference": "4711"})[0], 204)
        self.assertEqual(json.load(waiting.getresponse()), {"state": "cancelled", "cancelled_by": "program"})
        waiting.close()
        until(lambda: not self.kept(), "the pages are discarded", 10)

    def test_a_document_survives_a_crash_of_the_pad(self):
        self.start()
        for number, page in enumerate(self.PAGES, 1):
            self.put(number, page)
        waiting = self.web.send("POST", "/v1/sign", self.request())
        until(lambda: self.web.state() == "reading", "the person reads")
        until(lambda: self.pad.journal().request, "the journal has it")
        self.pad.end("KILL")
        # The person reads and signs after the restart.
        path = self.pad.path("paraphd.conf")
        with open(path) as file:
            text = file.read()
        recording = hand(self.pad.path("hand.evemu"), strokes=1, reports=12, pause=0.005, swipes=1)
        self.assertIn("device = nobody's", text)
        with open(path, "w") as file:
            file.write(text.replace("device = nobody's", f"recording = {recording}\nloop = yes"))
        self.pad.start()
        result = json.load(waiting.getresponse())
        waiting.close()
        self.assertEqual(result["state"], "saved")
        self.assertEqual(
            [page["digest"] for page in result["signature"]["document"]["pages"]],
            [hashlib.sha256(page).hexdigest() for page in self.PAGES])

    def test_a_client_that_leaves_while_the_person_reads_cancels(self):
        self.start()
        for number, page in enumerate(self.PAGES, 1):
            self.put(number, page)
        request = self.request()
        del request["reference"]
        waiting = self.web.send("POST", "/v1/sign", request)
        until(lambda: self.web.state() == "reading", "the person reads")
        waiting.close()
        until(lambda: self.web.state() != "reading" and not self.kept(), "the request is cancelled, and the pages are discarded", 4)


class Uploaded(unittest.TestCase):
    """Pages on their way to a pad that keeps them."""
    PNG = {"Content-Type": "image/png"}
    TEXT = {"Content-Type": "text/plain;charset=UTF-8"}

    def setUp(self):
        self.pad = Shelf()
        self.addCleanup(self.pad.close)
        self.web = Web(self.pad.path)
        self.addCleanup(self.web.close)

    # Of a PNG.
    END = b"\0\0\0\0IEND\xaeB\x60\x82"

    @classmethod
    def page(cls, size):
        return b"\x89PNG" + os.urandom(size - 16) + cls.END

    def put(self, page, number=1, headers=PNG, document="a"):
        return self.web.ask("PUT", f"/v1/documents/{document}/{number}", page, headers)

    @staticmethod
    def request(pages=1, document="a"):
        return {"reference": "4711", "document": {"id": document, "name": "A", "digest": "0" * 64, "pages": pages}}

    def test_pages_arrive_whole_over_the_connection_of_their_request(self):
        # Of less than a part, of parts, and of more.
        pages = [self.page(size) for size in (100, 48_000, 1_000_001)]
        for number, page in enumerate(pages, 1):
            self.assertEqual(self.put(page, number), (204, b""))
        self.pad.result = {"state": "timed_out"}
        self.assertEqual(self.web.ask("POST", "/v1/sign", self.request(3)), (200, {"state": "timed_out"}))
        connection, = self.pad.connections
        self.assertEqual([bytes(connection["pages"][number]) for number in (1, 2, 3)], pages)
        self.assertLessEqual(max(connection["parts"]), 24_000)
        self.assertEqual(connection["request"], self.request(3))
        self.assertTrue(connection["ended"].wait(10))

    def test_a_chunked_body_arrives_too(self):
        connection = self.web.connection()
        text = "Größe ".encode() * 9000
        connection.request("PUT", "/v1/documents/a/1", iter([text[:7], text[7:]]), self.TEXT, encode_chunked=True)
        response = connection.getresponse()
        self.assertEqual((response.status, response.read()), (204, b""))
        connection.close()
        self.assertEqual(bytes(self.pad.connections[0]["pages"][1]), text)

    def test_a_bad_page_is_a_problem_behind_its_whole_body(self):
        self.pad.bad[2] = "it is damaged"
        connection = self.web.connection()
        connection.request("PUT", "/v1/documents/a/2", self.page(3_000_000), self.PNG)
        response = connection.getresponse()
        problem = json.load(response)
        self.assertEqual((response.status, problem["type"]), (400, "urn:paraph:error:BadDocument"))
        self.assertEqual((problem["page"], problem["reason"]), (2, "it is damaged"))
        # The connection serves the next one.
        connection.request("PUT", "/v1/documents/a/1", self.page(100), self.PNG)
        response = connection.getresponse()
        self.assertEqual((response.status, response.read()), (204, b""))
        connection.close()

    def test_a_page_that_is_not_what_it_says_is_not_sent(self):
        for body, headers, number, reason in (
            (b"<!doctype html>", self.PNG, 1, "not a PNG"), (b"", self.PNG, 1, "the page is empty"),
            (self.page(100), self.TEXT, 1, "not a text"), (b"text", self.TEXT, 2, "a text is page 1"),
        ):
            status, problem = self.put(body, number, headers)
            self.assertEqual((status, problem["page"], problem["reason"]), (400, number, reason))
        self.assertEqual(self.put(b"x", headers={"Content-Type": "application/pdf"})[0], 415)
        self.assertEqual(self.pad.connections, [])

    def test_a_page_that_never_came_is_a_problem(self):
        self.put(self.page(100), 1)
        self.put(self.page(100), 3)
        status, problem = self.web.ask("POST", "/v1/sign", self.request(3))
        self.assertEqual((status, problem["page"], problem["reason"]), (400, 2, "it is missing"))
        self.assertTrue(self.pad.connections[0]["ended"].wait(10))

    def test_a_client_that_leaves_discards_its_document(self):
        self.put(self.page(100))
        request = self.request()
        del request["reference"]
        waiting = self.web.send("POST", "/v1/sign", request)
        connection = until(lambda: self.pad.connections, "the pad has the document")[0]
        until(lambda: connection["request"], "the person reads")
        waiting.close()
        self.assertTrue(connection["ended"].wait(10))

    def test_a_resumed_request_needs_no_document(self):
        self.put(self.page(100))
        self.web.send("POST", "/v1/sign", self.request()).close()
        until(lambda: self.pad.connections[0]["request"], "the person reads")
        waiting = self.web.send("POST", "/v1/sign", self.request())
        self.assertEqual(self.web.ask("GET", "/v1/info")[0], 200)
        waiting.close()
        self.assertEqual(len(self.pad.connections), 1)

    def test_the_memory_is_bounded_while_the_pad_is_slow(self):
        self.put(self.page(100), document="b")
        before = self.web.memory()
        self.pad.answers.clear()
        size, sent = 12 << 20, 0
        with socket.create_connection(("127.0.0.1", self.web.port)) as client:
            client.sendall(
                b"PUT /v1/documents/a/1 HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nContent-Type: image/png\r\nContent-Length: %d\r\n\r\n\x89"
                % (self.web.port, size))
            client.setblocking(False)
            # Until the kernel takes no more: paraph-web reads nothing while the pad has a part.
            end = time.monotonic() + 0.5
            while time.monotonic() < end and sent < size - 13:
                try:
                    sent += client.send(b"x" * min(65536, size - 13 - sent))
                    end = time.monotonic() + 0.5
                except BlockingIOError:
                    pass
            self.assertLess(sent, size - 13)
            # In KiB.
            self.assertLess(self.web.memory() - before, 512)
            self.pad.answers.set()
            client.setblocking(True)
            client.sendall((b"x" * (size - 13) + self.END)[sent:])
            self.assertIn(b" 204 ", client.recv(65536).split(b"\r\n")[0])
            self.assertLess(self.web.memory() - before, 512)

    def test_a_page_that_is_too_large_is_refused_before_it_is_sent(self):
        connection = self.web.connection()
        connection.putrequest("PUT", "/v1/documents/a/1")
        for name, value in (*self.PNG.items(), ("Content-Length", str((12 << 20) + 1))):
            connection.putheader(name, value)
        connection.endheaders()
        self.assertEqual(connection.getresponse().status, 413)
        connection.close()

    def test_a_fifth_document_displaces_the_one_that_is_unused_for_longest(self):
        for document in "abcde":
            self.put(self.page(100), document=document)
        self.assertTrue(self.pad.connections[0]["ended"].wait(10))
        self.assertFalse(any(connection["ended"].is_set() for connection in self.pad.connections[1:]))
        self.assertEqual(self.web.ask("POST", "/v1/sign", self.request())[1]["page"], 1)

    def test_an_upload_whose_client_leaves_waits_for_it_for_five_seconds(self):
        with socket.create_connection(("127.0.0.1", self.web.port)) as client:
            client.sendall(
                b"PUT /v1/documents/a/1 HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nContent-Type: image/png\r\nContent-Length: 50000\r\n\r\n%b"
                % (self.web.port, self.page(30_000)))
            connection = until(lambda: self.pad.connections, "the pad has a part")[0]
            left = time.monotonic()
        self.assertTrue(connection["ended"].wait(10))
        self.assertGreater(time.monotonic() - left, 4.9)


def make_pair(folder, name):
    """Makes a certificate with its key, cert.pem and key.pem, in the place of former ones."""
    certificate, key = (os.path.join(folder, file) for file in ("cert.pem", "key.pem"))
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", f"/CN={name}",
         "-keyout", key + ".new", "-out", certificate + ".new"], check=True, stderr=subprocess.DEVNULL)
    os.replace(key + ".new", key)
    os.replace(certificate + ".new", certificate)


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
        make_pair(cls.files.name, name)

    def secure(self, version=None, source="127.0.0.1"):
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        if version:
            # OpenSSL itself has old versions at this level only.
            context.set_ciphers("DEFAULT:@SECLEVEL=0")
            context.minimum_version = context.maximum_version = version
        return context.wrap_socket(socket.create_connection(("127.0.0.1", self.port), timeout=10, source_address=(source, 0)))

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
        return subprocess.run(
            ["openssl", "x509", "-noout", "-subject", "-nameopt", "oneline"], input=text, text=True, capture_output=True, check=True).stdout

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

    def test_old_versions_of_tls_are_refused(self):
        with warnings.catch_warnings():
            # That they are old.
            warnings.simplefilter("ignore", DeprecationWarning)
            for version in (ssl.TLSVersion.TLSv1, ssl.TLSVersion.TLSv1_1):
                # This client would say that it has no such version.
                with self.subTest(version), self.assertRaisesRegex((ssl.SSLError, ConnectionError), "EOF|reset|PROTOCOL_VERSION"):
                    self.secure(version).close()
        for version, name in ((ssl.TLSVersion.TLSv1_2, "TLSv1.2"), (ssl.TLSVersion.TLSv1_3, "TLSv1.3")):
            with self.secure(version) as connection:
                self.assertEqual(connection.version(), name)

    def test_one_address_does_not_take_all_connections(self):
        until(self.web.rests, "it comes to rest")
        descriptors = self.web.descriptors()
        held = []
        try:
            for _ in range(180):
                held.append(socket.create_connection(("127.0.0.1", self.port)))
            until(lambda: sum(map(Quiet.is_closed, held)) == 180 - ADDRESS_CONNECTIONS, "those above the limit are closed")
            with self.secure(source="127.0.0.2") as other:
                self.assertEqual(self.status("/v1/info", "Authorization: Bearer secret", connection=other), 200)
        finally:
            for connection in held:
                connection.close()
        # Until then, a new connection is above the limit.
        until(lambda: self.web.descriptors() == descriptors, "it has closed its ends")

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
        with self.secure() as connection:
            self.assertIn("CN = three", self.name(connection))

    def test_files_that_could_not_be_read_are_read_again(self):
        self.make("four")
        times = os.stat(self.path("cert.pem"))
        pair = {name: self.padded(name) for name in ("cert.pem", "key.pem")}
        self.make("five")
        new = {name: self.padded(name) for name in pair}

        def write(files):
            """Writes into the files, which keep their size and their time."""
            for name, data in files.items():
                with open(self.path(name), "r+b") as file:
                    file.write(data)
                os.utime(self.path(name), ns=(times.st_mtime_ns, times.st_mtime_ns))

        write(pair)
        with self.secure() as connection:
            self.assertIn("CN = four", self.name(connection))
        write({**new, "key.pem": new["key.pem"][:-1] + b"\0"})
        with self.secure() as connection:
            self.assertIn("CN = four", self.name(connection))
        write(new)
        with self.secure() as connection:
            self.assertIn("CN = five", self.name(connection))

    def padded(self, name):
        with open(self.path(name), "rb") as file:
            return file.read().ljust(4096, b"\n")


class Checked(unittest.TestCase):
    """--check-config with files for TLS."""

    def check(self, files, **more):
        with open(os.path.join(files, "web.conf"), "w") as file:
            file.write(f"[web]\ncertificate = {files}/cert.pem\nkey = {files}/key.pem\n")
        return subprocess.run(
            [PARAPH_WEB, "--check-config", "-c", file.name], stderr=subprocess.PIPE, text=True, timeout=60, **more)

    def test_an_unusable_certificate_or_key_is_an_error(self):
        with tempfile.TemporaryDirectory(prefix="paraph-tls-") as files:
            missing = self.check(files)
            self.assertEqual(missing.returncode, 78)
            self.assertIn("cert.pem: No such file or directory", missing.stderr)
            make_pair(files, "one")
            fine = self.check(files)
            self.assertEqual((fine.returncode, fine.stderr), (0, ""))
            certificate = os.path.join(files, "cert.pem")
            with open(certificate) as file:
                first = file.read()
            make_pair(files, "two")
            with open(certificate, "w") as file:
                file.write(first)
            mixed = self.check(files)
            self.assertEqual(mixed.returncode, 78)
            self.assertIn("do not match", mixed.stderr)

    @unittest.skipIf(os.geteuid() != 0, "only root can be another user")
    def test_a_key_that_only_the_daemon_may_read_is_a_warning(self):
        with tempfile.TemporaryDirectory(prefix="paraph-tls-") as files:
            make_pair(files, "one")
            os.chmod(files, 0o755)
            try:
                other = self.check(files, user=65534, group=65534, extra_groups=[])
            except PermissionError:
                self.skipTest("the program lies where another user cannot run it")
            self.assertEqual(other.returncode, 0)
            self.assertIn("key.pem: Permission denied", other.stderr)


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
