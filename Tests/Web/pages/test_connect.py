"""Paraph.connect, Paraph.signAnywhere and <paraph-mirror> with a stand-in for paraph-web."""
import hashlib
import threading
import unittest

from browser import PageTest, render
from fakes import BREAK, PNG, SAVED, SIGNATURE, SVG, WAIT, glass, problem, stroke
from test_pad import loop
from test_pages import turn, until

SECONDS = 10
# A proxy that has lost paraph-web. A browser itself repeats a request whose connection ends.
GATEWAY = (502, None)


class PadTest(PageTest):
    def setUp(self):
        self.new_fake()
        self.browser.open(self.server.address + "/blank")

    def sign(self, request="{}", setup=""):
        """The result of a request, or the error's name and details."""
        return self.browser.run(
            """
            %s
            try {
              const pad = await Paraph.connect("/");
              const result = await pad.sign(%s);
              return { ...result, png: Array.from(new Uint8Array(await result.png.arrayBuffer())), type: result.png.type };
            } catch (error) {
              return { error: error.name, message: error.message, isOne: error instanceof Paraph.ParaphError, by: error.by,
                reason: error.reason, page: error.page, lost: error.lost, limit: error.limit, parameter: error.parameter };
            }
            """ % (setup, request))


class Signing(PadTest):
    def test_a_signature_is_an_id_a_picture_outlines_and_strokes(self):
        self.pad.answers = [SAVED]
        result = self.sign("{ reference: 'A 1', prompt: 'Parcel', language: 'de', timeLimit: 60, cancellable: true }")
        self.assertEqual(
            self.pad.asked,
            [{"reference": "A 1", "prompt": "Parcel", "language": "de", "time_limit": 60, "cancellable": True,
              "formats": ["png", "svg", "strokes"]}])
        self.assertEqual((result["id"], bytes(result["png"]), result["type"]), (SAVED["signature"]["id"], PNG, "image/png"))
        self.assertEqual(result["svg"], SVG)
        self.assertEqual(result["strokes"], SAVED["signature"]["strokes"])

    def test_rejections_have_types(self):
        for answer, expected in (
            ({"state": "cancelled", "cancelled_by": "person"}, {"error": "Cancelled", "by": "person"}),
            ({"state": "timed_out"}, {"error": "TimedOut"}),
            (problem(409, "Busy"), {"error": "Busy", "message": "Paraph: about Busy"}),
            (problem(503, "TooManyConnections"), {"error": "Busy"}),
            (problem(503, "OutOfService", reason="disk full"), {"error": "OutOfService", "reason": "disk full"}),
            (problem(400, "InvalidParameter", parameter="prompt", limit=40), {"error": "InvalidRequest", "parameter": "prompt", "limit": 40}),
            (problem(403, "Forbidden"), {"error": "NotAllowed"}),
            (problem(401, "Unauthorized"), {"error": "NotAllowed"}),
            (problem(409, "Superseded"), {"error": "Cancelled", "by": "program"}),
            ((404, None), {"error": "Unreachable"}),
        ):
            with self.subTest(str(answer)):
                self.pad.answers = [answer]
                result = self.sign()
                self.assertTrue(result["isOne"])
                self.assertEqual({key: result.get(key) for key in expected}, expected)

    def test_a_broken_connection_is_resumed_by_the_reference(self):
        self.pad.answers = [BREAK, problem(503, "Unreachable"), SAVED]
        self.assertEqual(self.sign("{ prompt: 'Parcel' }")["id"], SAVED["signature"]["id"])
        self.assertEqual(len(self.pad.asked), 3)
        self.assertEqual(len({asked["reference"] for asked in self.pad.asked}), 1)
        self.assertRegex(self.pad.asked[0]["reference"], "^[0-9a-f]{32}$")

    # Each wait before another attempt takes 25 s of the page's clocks.
    WAITS = """
        const [timer, now, date] = [setTimeout, performance.now.bind(performance), Date.now];
        let passed = 0;
        window.setTimeout = (action, wait) => wait < 5000 ? timer(() => { passed += 25000; action(); }) : timer(action, wait);
        performance.now = () => now() + passed;
        Date.now = () => date() + passed;
        """
    # Each attempt of Sign takes 40 s.
    ATTEMPTS = """
        const [fetched, now, date] = [fetch, performance.now.bind(performance), Date.now];
        let passed = 0;
        window.fetch = (address, options) => {
          const response = fetched(address, options);
          return String(address).endsWith("/v1/sign") ? response.finally(() => { passed += 40000; }) : response;
        };
        performance.now = () => now() + passed;
        Date.now = () => date() + passed;
        """

    def test_a_pad_that_does_not_come_back_is_unreachable_after_a_minute(self):
        self.pad.answers = [GATEWAY] * 9
        result = self.sign(setup=self.WAITS)
        self.assertEqual(result["error"], "Unreachable")
        self.assertEqual(len(self.pad.asked), 4)

    def test_each_break_of_a_long_request_has_a_minute_of_its_own(self):
        self.pad.answers = [GATEWAY] * 4 + [SAVED]
        result = self.sign(setup=self.ATTEMPTS)
        self.assertEqual(result.get("id"), SAVED["signature"]["id"], result)
        self.assertEqual(len(self.pad.asked), 5)

    def test_a_minute_that_paraph_web_has_waited_is_not_waited_again(self):
        self.pad.answers = [problem(503, "Unreachable")] * 2
        result = self.sign(setup=self.ATTEMPTS.replace("40000", "61000"))
        self.assertEqual((result["error"], len(self.pad.asked)), ("Unreachable", 1))

    def abort(self, reference):
        """The outcome of a request that is aborted when the pad is asked."""
        asked = len(self.pad.asked)
        self.browser.run(
            """
            const pad = await Paraph.connect("/");
            window.controller = new AbortController();
            window.outcome = pad.sign({ reference: %s, signal: controller.signal }).catch((error) => error.name);
            """ % reference)
        until(lambda: len(self.pad.asked) > asked, "the pad is asked", SECONDS)
        return self.browser.run("controller.abort(); return outcome")

    def test_an_aborted_request_is_cancelled_on_the_pad(self):
        self.assertEqual(self.abort("'B 2'"), "AbortError")
        self.assertEqual(self.pad.cancelled.get(timeout=SECONDS), {"reference": "B 2"})

    def test_a_request_that_was_aborted_before_is_not_made(self):
        result = self.sign("{ signal: AbortSignal.abort() }")
        self.assertEqual((result["error"], self.pad.asked), ("AbortError", []))

    def test_a_request_without_a_reference_gets_one_and_cancels_no_other(self):
        self.assertEqual(self.abort("null"), "AbortError")
        self.assertRegex(self.pad.asked[0]["reference"], "^[0-9a-f]{32}$")
        self.assertEqual(self.pad.cancelled.get(timeout=SECONDS), {"reference": self.pad.asked[0]["reference"]})
        # In JSON, it is null.
        self.assertEqual(self.abort("NaN"), "AbortError")
        # A cancellation of that request arrives before the answers to these.
        self.browser.run("for (let n = 0; n < 2; n++) await (await fetch('/v1/info')).text()")
        self.browser.run("await (await Paraph.connect('/')).cancel('E 5')")
        self.assertEqual(self.pad.cancelled.get(timeout=SECONDS), {"reference": "E 5"})

    def test_a_page_that_closes_cancels_its_request(self):
        self.browser.run("const pad = await Paraph.connect('/'); pad.sign({ reference: 'C 3' }).catch(() => {})")
        self.browser.open("about:blank")
        self.assertEqual(self.pad.cancelled.get(timeout=SECONDS), {"reference": "C 3"})

    def test_a_page_with_a_token_cancels_too_when_it_closes(self):
        self.browser.run("const pad = await Paraph.connect('/', { token: 'secret' }); pad.sign({ reference: 'D 4' }).catch(() => {})")
        self.browser.open("about:blank")
        self.assertEqual(self.pad.cancelled.get(timeout=SECONDS), {"reference": "D 4"})
        self.assertEqual(set(self.pad.tokens), {"Bearer secret"})

    def test_nobody_at_the_address_is_unreachable(self):
        # The policy of the page refuses another address, as a network does that has nobody there.
        self.assertEqual(
            self.browser.run("try { await Paraph.connect('http://127.0.0.1:1') } catch (error) { return error.name }"), "Unreachable")
        self.pad.info = problem(503, "Unreachable")
        self.assertEqual(self.browser.run("try { await Paraph.connect('/') } catch (error) { return error.name }"), "Unreachable")

    # The limit of an answer, five seconds, takes a tenth of one.
    ANSWERS = "const timer = setTimeout; window.setTimeout = (action, wait) => timer(action, wait === 5000 ? 100 : wait);"

    # It never passes.
    NO_LIMIT = "const timer = setTimeout; window.setTimeout = (action, wait) => wait === 5000 ? 0 : timer(action, wait);"

    def repeat(self, setup):
        """Aborts a request and makes it again in the same task; `outcome` is that of the second one."""
        self.browser.run(
            """
            const [pad, first] = [await Paraph.connect("/"), new AbortController()];
            pad.sign({ reference: "F 6", signal: first.signal }).catch(() => {});
            window.again = () => pad.sign({ reference: "F 6" }).then(({ id }) => id, (error) => error.name);
            window.repeat = () => {
              %s
              first.abort();
              window.outcome = again();
            };
            """ % setup)
        until(lambda: self.pad.asked, "the pad is asked", SECONDS)
        self.browser.run("repeat()")
        self.assertEqual(self.pad.cancelled.get(timeout=SECONDS), {"reference": "F 6"})

    def test_a_request_waits_for_the_cancellation_of_the_one_before(self):
        answered = threading.Event()
        self.addCleanup(answered.set)
        self.pad.answers, self.pad.cancellations = [WAIT, SAVED], [answered]
        self.repeat(self.NO_LIMIT)
        # A request that does not wait arrives before the answers to these.
        self.browser.run("for (let n = 0; n < 2; n++) await (await fetch('/v1/info')).text()")
        self.assertEqual(len(self.pad.asked), 1)
        answered.set()
        self.assertEqual(self.browser.run("return outcome"), SAVED["signature"]["id"])
        self.assertEqual(len(self.pad.asked), 2)

    def test_a_cancellation_without_an_answer_ends_before_the_next_request_begins(self):
        self.pad.answers, self.pad.cancellations = [WAIT, SAVED, SAVED], [WAIT]
        self.repeat(
            self.ANSWERS + """
            const fetched = fetch;
            window.fetch = (address, options) => {
              if (String(address).endsWith("/v1/cancel")) window.limit = options.signal;
              else if (String(address).endsWith("/v1/sign")) window.ended ??= window.limit?.reason?.message;
              return fetched(address, options);
            };
            """)
        self.assertEqual(
            self.browser.run("return [await outcome, window.ended]"), [SAVED["signature"]["id"], "nothing was received for 5 s"])
        # The next one has nothing to wait for.
        self.assertEqual(self.browser.run("window.setTimeout = () => 0; return again()"), SAVED["signature"]["id"])

    def test_a_page_that_closes_sends_a_cancellation_without_an_answer_once_more(self):
        self.pad.cancellations = [WAIT]
        self.browser.run(
            self.NO_LIMIT + """
            window.request = new AbortController();
            const pad = await Paraph.connect("/");
            pad.sign({ reference: "G 7", signal: request.signal }).catch(() => {});
            """)
        until(lambda: self.pad.asked, "the pad is asked", SECONDS)
        self.browser.run("request.abort()")
        self.assertEqual(self.pad.cancelled.get(timeout=SECONDS), {"reference": "G 7"})
        self.browser.open("about:blank")
        self.assertEqual(self.pad.cancelled.get(timeout=SECONDS), {"reference": "G 7"})

    def test_an_address_without_an_answer_is_unreachable(self):
        self.pad.info = WAIT
        self.assertEqual(
            self.browser.run(
                self.ANSWERS + """
                const ended = new AbortController();
                const aborted = Paraph.connect("/", { signal: ended.signal }).catch((error) => error.name);
                ended.abort();
                const { name, message } = await Paraph.connect("/").catch((error) => error);
                return [name, /nothing was received for 5 s/.test(message), await aborted];
                """), ["Unreachable", True, "AbortError"])

    def test_another_server_at_the_address_is_unreachable(self):
        for foreign in ((404, "text/plain", b""), (405, "text/html", b"<p>no"), (200, "text/html", b"<p>hello"),
                        (200, "application/json", b'{"ok": true}'), (502, "application/json", b'{"type": "about:blank"}')):
            with self.subTest(foreign):
                self.pad.foreign = foreign
                self.assertEqual(
                    self.browser.run("try { await Paraph.connect('/') } catch (error) { return error.name }"), "Unreachable")

    def worker(self, script):
        """What a worker says first."""
        return self.browser.run(
            """
            const worker = new Worker(given[0], { type: "module" });
            return new Promise((resolve) => {
              worker.onmessage = ({ data }) => resolve(data);
              worker.onerror = ({ message }) => resolve(message ?? "error");
            });
            """, script)

    def test_the_module_can_be_imported_where_there_is_no_page(self):
        self.assertEqual(self.worker("/import.js"), "Unreachable")

    def test_a_worker_asks_the_pad(self):
        self.pad.answers = [SAVED]
        self.assertEqual(self.worker("/connect.js"), ["idle", SAVED["signature"]["id"]])

    def test_the_element_may_be_defined_already(self):
        self.assertEqual(self.browser.run("return (await import('/paraph.js?second')).Pad.name"), "Pad")

    def test_messages_and_presses(self):
        self.assertTrue(
            self.browser.run("const pad = await Paraph.connect('/'); await pad.done(); await pad.clear(); return pad.show({ text: 'x', button: true })"))
        self.assertEqual([self.pad.pressed.get(timeout=SECONDS) for _ in range(2)], ["/v1/done", "/v1/clear"])

    def test_a_button_that_cannot_be_pressed_is_an_invalid_request(self):
        self.pad.presses = [problem(409, "NotEnabled")] * 2
        result = self.browser.run(
            """
            const pad = await Paraph.connect("/");
            const rejections = [pad.done(), pad.clear()].map((pressed) => pressed.catch(({ name, details }) => [name, details.type]));
            return Promise.all(rejections);
            """)
        self.assertEqual(result, [["InvalidRequest", "urn:paraph:error:NotEnabled"]] * 2)

    def test_questions(self):
        ask = """
            const pad = await Paraph.connect("/");
            try {
              return await pad.ask({ text: "Which door?", choices: ["Front", "Back", "Side"], timeLimit: 9 });
            } catch (error) {
              return [error.name, error.by ?? null];
            }
            """
        self.assertEqual(self.browser.run(ask), 2)
        self.pad.outcomes = [{"outcome": "cancelled", "cancelled_by": "program"}, {"outcome": "timed_out"}]
        self.assertEqual(self.browser.run(ask), ["Cancelled", "program"])
        self.assertEqual(self.browser.run(ask), ["TimedOut", None])


class Reading(PadTest):
    PAGES = "[new Blob(['page 1']), new Blob(['page 2'])]"
    DOCUMENT = "{ name: 'A.pdf', pages: %s, original: new Blob(['original']) }" % PAGES
    DIGEST = hashlib.sha256(b"original").hexdigest()
    SHOWN = {"name": "A.pdf", "digest": DIGEST, "pages": [{"digest": "1" * 64, "seconds": 2.5}]}
    SIGNED = {"state": "saved", "signature": {**SIGNATURE, "document": SHOWN}}

    def test_pages_are_uploaded_before_the_request(self):
        self.pad.answers = [self.SIGNED]
        result = self.sign("{ prompt: 'Contract', document: %s }" % self.DOCUMENT)
        self.assertEqual(result["document"], self.SHOWN)
        document = self.pad.pages[0][0]
        self.assertRegex(document, "^[0-9a-f]{32}$")
        self.assertEqual(self.pad.pages, [(document, n, "image/png", b"page %d" % n) for n in (1, 2)])
        self.assertEqual(self.pad.asked[0]["document"], {"id": document, "name": "A.pdf", "digest": self.DIGEST, "pages": 2})

    def test_a_signature_without_the_document_is_none(self):
        self.pad.answers = [SAVED]
        self.assertEqual(self.sign("{ document: %s }" % self.DOCUMENT)["error"], "BadDocument")

    def test_a_signature_of_another_document_is_none(self):
        for request, digest in (("{ document: %s }" % self.DOCUMENT, "0" * 64), ("{}", self.DIGEST)):
            with self.subTest(request):
                self.pad.answers = [{"state": "saved", "signature": {**SIGNATURE, "document": {**self.SHOWN, "digest": digest}}}]
                result = self.sign(request)
                self.assertEqual((result["error"], result["reason"]), ("BadDocument", "the signature is of another document"))

    def test_a_text_is_a_page_and_its_own_original(self):
        digest = hashlib.sha256("Größe".encode()).hexdigest()
        self.pad.answers = [{"state": "saved", "signature": {**SIGNATURE, "document": {**self.SHOWN, "digest": digest}}}]
        self.assertEqual(self.sign("{ document: { name: 'Terms', text: 'Größe', early: true } }")["id"], SIGNATURE["id"])
        (document, *page), = self.pad.pages
        self.assertEqual(page, [1, "text/plain;charset=UTF-8", "Größe".encode()])
        self.assertEqual(
            self.pad.asked[0]["document"],
            {"id": document, "name": "Terms", "digest": digest, "pages": 1, "early": True})

    def test_a_bad_page_is_named_and_nobody_is_asked(self):
        self.pad.uploads = [(204, None), problem(400, "BadDocument", page=2, reason="it is damaged")]
        result = self.sign("{ document: %s }" % self.DOCUMENT)
        self.assertEqual((result["error"], result["page"], result["reason"]), ("BadDocument", 2, "it is damaged"))
        self.assertEqual(self.pad.asked, [])

    def test_a_text_is_uploaded_without_carriage_returns_and_its_digest_is_of_what_was_given(self):
        self.pad.answers = [self.SIGNED]
        self.sign(r"{ document: { name: 'Terms', text: 'a\r\n\r\nb\rc\n' } }")
        self.assertEqual(self.pad.pages[0][3], b"a\n\nb\rc\n")
        self.assertEqual(self.pad.asked[0]["document"]["digest"], hashlib.sha256(b"a\r\n\r\nb\rc\n").hexdigest())

    def test_a_document_without_a_digest_or_pages_is_not_uploaded(self):
        for document in ("{ name: 'A', pages: %s }" % self.PAGES, "{ name: 'A' }", "{ name: 'A', pages: [], digest: '0' }",
                         "{ name: 'A', pages: %s, text: 'x', digest: '0' }" % self.PAGES):
            with self.subTest(document):
                self.assertEqual(self.sign("{ document: %s }" % document)["error"], "TypeError")
        self.assertEqual((self.pad.pages, self.pad.asked), ([], []))

    def test_an_upload_can_be_aborted(self):
        self.pad.uploads = [(204, None), WAIT]
        self.browser.run(
            """
            window.request = new AbortController();
            const pad = await Paraph.connect("/");
            window.outcome = pad.sign({ document: %s, signal: window.request.signal }).catch((error) => error.name);
            """ % self.DOCUMENT)
        self.assertEqual([self.pad.arrived.get(timeout=SECONDS) for _ in range(2)], [1, 2])
        self.assertEqual(self.browser.run("window.request.abort(); return outcome"), "AbortError")
        self.assertEqual((len(self.pad.pages), self.pad.asked), (2, []))

    def test_a_request_that_is_resumed_does_not_upload_again(self):
        self.pad.answers = [GATEWAY, self.SIGNED]
        self.assertEqual(self.sign("{ document: %s }" % self.DOCUMENT)["id"], self.SIGNED["signature"]["id"])
        self.assertEqual((len(self.pad.pages), len(self.pad.asked)), (2, 2))

    MISSING = problem(400, "BadDocument", page=1, reason="the page has not arrived", lost=True)

    def test_a_request_that_was_lost_uploads_again(self):
        missing = self.MISSING
        self.pad.answers = [GATEWAY, missing, self.SIGNED]
        self.assertEqual(self.sign("{ document: %s }" % self.DOCUMENT)["id"], self.SIGNED["signature"]["id"])
        self.assertEqual((len(self.pad.pages), len(self.pad.asked)), (4, 3))

    def test_a_page_that_cannot_be_shown_is_not_uploaded_again(self):
        self.pad.answers = [problem(400, "BadDocument", page=2, reason="it takes more than 5.8 MiB"), self.SIGNED]
        self.assertEqual(self.sign("{ document: %s }" % self.DOCUMENT)["error"], "BadDocument")
        self.assertEqual((len(self.pad.pages), len(self.pad.asked)), (2, 1))

    def test_a_document_that_the_pad_has_lost_is_uploaded_once_more(self):
        # The pad crashed behind the last page.
        self.pad.answers = [self.MISSING, self.SIGNED]
        self.assertEqual(self.sign("{ document: %s }" % self.DOCUMENT)["id"], self.SIGNED["signature"]["id"])
        self.assertEqual((len(self.pad.pages), len(self.pad.asked)), (4, 2))
        # And not a third time.
        self.pad.answers = [self.MISSING] * 2 + [self.SIGNED]
        self.assertEqual(self.sign("{ document: %s }" % self.DOCUMENT)["error"], "BadDocument")
        self.assertEqual((len(self.pad.pages), len(self.pad.asked)), (8, 4))

    def test_a_document_that_is_lost_while_it_is_uploaded_is_uploaded_once_more(self):
        # Another upload of the page has replaced this one, which cancels no request; or the pad needed the room.
        for refusal in (problem(409, "Superseded"), problem(400, "BadDocument", page=2, reason="about the page", lost=True)):
            with self.subTest(refusal):
                self.pad.pages, self.pad.asked = [], []
                self.pad.uploads = [(204, None), refusal]
                self.pad.answers = [self.SIGNED]
                self.assertEqual(self.sign("{ document: %s }" % self.DOCUMENT).get("id"), self.SIGNED["signature"]["id"])
                self.assertEqual([page[1] for page in self.pad.pages], [1, 2, 1, 2])
                self.assertEqual(len(self.pad.asked), 1)
                # And not a third time.
                self.pad.uploads = [(204, None), refusal] * 2
                result = self.sign("{ document: %s }" % self.DOCUMENT)
                self.assertEqual((result["error"], result["page"], result["lost"]), ("BadDocument", 2, True))
                self.assertIn("about", result["reason"])
                self.assertEqual((len(self.pad.pages), len(self.pad.asked)), (8, 1))

    def test_an_upload_that_breaks_is_repeated(self):
        self.pad.uploads = [(204, None), GATEWAY]
        self.pad.answers = [self.SIGNED]
        self.assertEqual(self.sign("{ document: %s }" % self.DOCUMENT)["id"], self.SIGNED["signature"]["id"])
        self.assertEqual([page[1] for page in self.pad.pages], [1, 2, 1, 2])

    def test_uploads_that_always_break_late_end_after_a_minute(self):
        self.pad.uploads = [GATEWAY] * 9
        self.pad.answers = [self.SIGNED]
        result = self.sign(
            "{ document: %s }" % self.DOCUMENT,
            Signing.ATTEMPTS.replace('.endsWith("/v1/sign")', '.includes("/v1/documents/")'))
        self.assertEqual(result.get("error"), "Unreachable", result)
        # At 40, 80 and 120 s; the first break begins the minute.
        self.assertEqual((len(self.pad.pages), self.pad.asked), (3, []))

    def test_an_upload_without_an_answer_is_repeated(self):
        self.pad.uploads = [WAIT]
        self.pad.answers = [self.SIGNED]
        self.browser.run(
            """
            const timer = setTimeout;
            window.setTimeout = (action, wait) => {
              // The test ends the first page's time.
              if (wait < 60000 || window.expire) return timer(action, wait);
              window.expire = action;
            };
            const pad = await Paraph.connect("/");
            window.outcome = pad.sign({ document: %s }).then(({ id }) => id, (error) => error.name);
            """ % self.DOCUMENT)
        self.assertEqual(self.pad.arrived.get(timeout=SECONDS), 1)
        self.assertEqual(self.browser.run("window.expire(); return outcome"), self.SIGNED["signature"]["id"])
        self.assertEqual([page[1] for page in self.pad.pages], [1, 1, 2])


class Live(PadTest):
    def follow(self, body, setup=""):
        """What the body returns after the setup; `watch` follows, and `errors` are those it is told of."""
        return self.browser.run(
            """
            %s
            const [names, errors] = [[], []];
            const controller = new AbortController();
            const watch = (listener) => new Promise((resolve) => {
              Paraph.connect("/").then((pad) => pad.live((name, data) => { names.push(name); listener(name, data, resolve); },
                { signal: controller.signal, onError: (error) => errors.push(error.name) }));
            });
            %s
            """ % (setup, body))

    def test_an_error_of_the_listener_is_the_pages_and_the_stream_goes_on(self):
        self.pad.streams = [[("state", {"state": "idle"}), ("state", {"state": "signing"})]]
        result = self.follow(
            """
            let reported = 0;
            window.addEventListener("error", (event) => { reported++; event.preventDefault(); });
            await watch((name, data, resolve) => { if (data.state === "signing") resolve(); throw new TypeError("the page's"); });
            await new Promise(requestAnimationFrame);
            controller.abort();
            return [names, errors, reported];
            """)
        self.assertEqual(result, [["state", "state"], [], 2])
        self.assertEqual(self.pad.left.get(timeout=SECONDS), 1)
        self.assertEqual(len(self.pad.last_ids), 1)

    def test_a_stream_that_is_silent_is_opened_again(self):
        self.pad.streams = [[("state", {"state": "idle"})], [("state", {"state": "signing"})]]
        self.pad.silent = 1
        result = self.follow(
            "await watch((name, data, resolve) => { if (data.state === 'signing') resolve(); }); controller.abort(); return errors;",
            "const timer = setTimeout; window.setTimeout = (action, wait) => timer(action, wait >= 30000 ? 400 : wait);")
        self.assertEqual(result, ["Unreachable"])
        self.assertEqual(self.pad.last_ids, [None, "100"])
        self.assertEqual(self.pad.left.get(timeout=SECONDS), 1)

    def test_streams_that_end_at_once_are_opened_ever_more_slowly(self):
        self.pad.streams = [[("state", {"state": "idle"})]] * 5 + [[("state", {"state": "signing"})]]
        waits = self.follow(
            "await watch((name, data, resolve) => { if (data.state === 'signing') resolve(); }); controller.abort(); return waits;",
            """
            const [timer, waits] = [setTimeout, []];
            // Five seconds is the limit of an answer, and forty that of a silent stream.
            window.setTimeout = (action, wait) => wait < 5000 ? (waits.push(wait), timer(action, 0)) : timer(action, wait);
            """)
        self.assertEqual(len(waits), 5)
        self.assertGreaterEqual(min(waits), 1000)
        self.assertGreater(waits[4], 1900)

    def test_another_servers_answer_is_no_stream(self):
        self.assertEqual(
            self.follow(
                """
                const pad = await Paraph.connect("/");
                window.fetch = async () => new Response("<p>hello", { headers: { "Content-Type": "text/html" } });
                pad.live(() => {}, { signal: controller.signal, onError: (error) => { errors.push(error.name); controller.abort(); } });
                while (!errors.length) await new Promise(requestAnimationFrame);
                return errors;
                """), ["Unreachable"])


class Anywhere(PadTest):
    def begin(self, pad="'/'", opens=True):
        """opens: a page of its own; otherwise there is one."""
        if opens:
            self.new_pad()
        self.browser.run(
            """
            const request = { title: "Locker", prompt: "Parcel", cancellable: true };
            window.signed = Paraph.signAnywhere({ pad: %s, canvas: window.pad, request })
              .then((value) => ({ id: value.id, type: value.png?.type, strokes: value.strokes }), (error) => ({ error: error.name }));
            """ % pad)

    def press(self, label):
        self.browser.run("[...document.querySelectorAll('button')].find((button) => button.textContent === given[0]).click()", label)

    def wait_for_buttons(self):
        self.browser.run("while (!document.querySelector('button')) await new Promise(requestAnimationFrame)")

    def test_the_pad_is_preferred(self):
        self.pad.answers = [SAVED]
        self.begin()
        self.assertEqual(self.browser.run("return (await signed).id"), SAVED["signature"]["id"])

    def test_the_canvas_is_used_if_the_pad_is_busy(self):
        self.pad.answers = [problem(409, "Busy")]
        self.begin()
        self.wait_for_buttons()
        self.assertTrue(self.browser.run("return document.querySelector('button').disabled"))
        self.browser.draw(loop(300, 150, 120))
        self.press("Done")
        result = self.browser.run("return signed")
        self.assertEqual((result["id"], result["type"], len(result["strokes"])), (None, "image/png", 1))
        self.assertEqual(result["strokes"][0]["samples"][0]["t"], 0)
        self.assertEqual(self.browser.run("return document.querySelectorAll('button').length"), 0)

    def test_the_canvas_is_cleared_undone_and_cancelled(self):
        self.begin("null")
        self.wait_for_buttons()
        for label in ("Undo", "Clear"):
            self.browser.draw([(120, 110), (220, 110)])
            self.press(label)
            self.assertTrue(self.browser.run("return pad.isEmpty()"))
        self.press("Cancel")
        self.assertEqual(self.browser.run("return signed"), {"error": "Cancelled"})

    def test_the_next_person_cannot_bring_back_what_this_one_has_cleared(self):
        is_empty = "return pad.isEmpty()"
        self.begin("null")
        self.wait_for_buttons()
        self.browser.draw([(120, 110), (220, 110)])
        self.press("Clear")
        self.browser.key("z", 90, modifiers=2)
        self.assertFalse(self.browser.run(is_empty))
        self.press("Clear")
        self.press("Cancel")
        self.browser.run("await signed")
        self.begin("null", opens=False)
        self.wait_for_buttons()
        self.browser.run("canvas.focus()")
        self.browser.key("z", 90, modifiers=2)
        self.assertTrue(self.browser.run(is_empty))
        self.press("Cancel")

    def test_a_screen_reader_is_told_what_the_buttons_have_done(self):
        self.begin("null")
        self.wait_for_buttons()
        said = "return canvas.querySelector('[role=status]').textContent"
        for label, message in (("Undo", "Last stroke removed"), ("Clear", "Empty")):
            self.browser.draw([(120, 110), (220, 110)])
            self.press(label)
            self.assertEqual(self.browser.run(said), message)
        self.press("Cancel")

    def test_the_canvas_is_used_where_another_server_answers(self):
        for foreign in ((404, "text/plain", b""), (405, "text/plain", b""), (200, "text/html", b"<p>hello")):
            with self.subTest(foreign):
                self.pad.foreign = foreign
                self.begin()
                self.wait_for_buttons()
                self.press("Cancel")
                self.assertEqual(self.browser.run("return signed"), {"error": "Cancelled"})

    def test_the_canvas_is_used_where_nothing_answers(self):
        for pad in ("'/'", "new URL('/', location)", "window.connected", "Promise.resolve(window.connected)"):
            with self.subTest(pad):
                self.new_fake()
                self.new_pad()
                self.browser.run(Signing.ANSWERS + "window.connected = await Paraph.connect('/')")
                self.pad.info = WAIT
                self.begin(pad, opens=False)
                self.wait_for_buttons()
                self.press("Cancel")
                self.assertEqual(self.browser.run("return signed"), {"error": "Cancelled"})
                self.assertEqual(self.pad.asked, [])

    def test_a_request_that_another_page_takes_over_is_not_signed_on_the_canvas(self):
        self.pad.answers = [problem(409, "Superseded")]
        self.begin()
        self.assertEqual(self.browser.run("return signed"), {"error": "Cancelled"})
        self.assertEqual(self.browser.run("return document.querySelectorAll('button').length"), 0)
        self.assertTrue(self.pad.cancelled.empty(), "the other page's request goes on")

    def test_the_canvas_shows_what_is_signed(self):
        self.begin("null")
        self.wait_for_buttons()
        texts = "return [canvas.previousElementSibling?.innerText ?? null, canvas.getAttribute('aria-describedby')]"
        shown, _ = self.browser.run(texts)
        self.assertEqual(shown.split(), ["Locker", "Parcel"])
        nodes = self.browser.command("Accessibility.getFullAXTree")["nodes"]
        pad = next(node for node in nodes if node.get("role", {}).get("value") == "application")
        self.assertRegex(pad["description"]["value"], "Locker.*Parcel.*arrow keys")
        self.press("Cancel")
        self.browser.run("await signed")
        self.assertIsNone(self.browser.run(texts)[0])

    def test_a_document_is_signed_on_the_canvas_only_if_the_page_shows_it(self):
        self.pad.answers = [problem(409, "Busy")] * 2
        self.new_pad()
        sign = """
            const request = { cancellable: true, document: { name: "A", text: "Terms" } };
            window.signed = Paraph.signAnywhere({ pad: given[0], canvas: window.pad, request, showsDocument: given[1] })
              .catch((error) => error.name);
            """
        for pad, error in (("/", "Busy"), (None, "Unreachable")):
            self.assertEqual(self.browser.run(sign + "return signed", pad, False), error)
            self.assertEqual(self.browser.run("return document.querySelectorAll('button').length"), 0)
        self.browser.run(sign, "/", True)
        self.wait_for_buttons()
        self.press("Cancel")
        self.assertEqual(self.browser.run("return signed"), "Cancelled")

    def test_a_request_is_cancellable_only_if_it_says_so(self):
        self.new_pad()
        self.browser.run("Paraph.signAnywhere({ pad: null, canvas: window.pad })")
        self.wait_for_buttons()
        self.assertEqual(
            self.browser.run("return [...document.querySelectorAll('button')].map((button) => button.textContent)"),
            ["Done", "Clear", "Undo"])

    def test_a_plain_canvas_is_as_before_and_empty_afterwards(self):
        self.new_pad()
        self.browser.run("pad.off(); canvas.remove(); window.canvas = document.body.appendChild(document.createElement('canvas')); canvas.hidden = true")
        for _ in range(2):
            self.browser.run(
                """
                window.signed = Paraph.signAnywhere({ pad: null, canvas, labels: { pad: "Feld" } });
                while (!document.querySelector("button")) await new Promise(requestAnimationFrame);
                """)
            self.assertEqual(self.browser.run("return [canvas.getAttribute('aria-label'), canvas.hidden]"), ["Feld", False])
            x, y = self.browser.run("const { x, y } = canvas.getBoundingClientRect(); return [x, y]")
            self.browser.draw([(x + 50, y + 50), (x + 150, y + 60)])
            self.press("Done")
            self.assertEqual(self.browser.run("return (await signed).strokes.length"), 1)
            self.assertEqual(
                self.browser.run("return [canvas.childElementCount, canvas.getAttributeNames().filter((name) => /^aria|role|tabindex/.test(name))]"),
                [0, []])
            self.assertEqual(max(self.picture(self.browser.run("return canvas.toDataURL()")).coverage), 0)

    def test_a_signature_is_taken_once(self):
        self.begin("null")
        self.wait_for_buttons()
        self.browser.draw(loop(300, 150, 120))
        self.browser.run("canvas.toBlob = (done) => { window.encode = () => done(new Blob()); }")
        self.press("Done")
        self.browser.draw([(120, 110), (220, 110)])
        self.assertEqual(
            self.browser.run("return [...document.querySelectorAll('button')].map((button) => button.disabled)"), [True] * 4)
        self.browser.run("encode()")
        self.assertEqual(len(self.browser.run("return signed")["strokes"]), 1)

    def test_a_person_who_cancels_on_the_pad_is_not_asked_again(self):
        self.pad.answers = [{"state": "cancelled", "cancelled_by": "person"}]
        self.begin()
        self.assertEqual(self.browser.run("return signed"), {"error": "Cancelled"})


class Mirror(PadTest):
    def expected(self, strokes, width=600, height=300):
        """What the tool draws of the same samples; `render` takes CSS pixels."""
        groups = [
            {"points": [{"x": x / 4 * 96 / 25.4, "y": y / 4 * 96 / 25.4, "time": start * 1e3 + 8 * i, "pressure": 0} for i, (x, y) in enumerate(places)]}
            for places, start in strokes
        ]
        return render(groups, width, height, 4.0)

    def show(self, *streams):
        """Opens a mirror; the events that it passed on until there are as many as the streams have."""
        self.pad.streams = list(streams)
        self.seen = self.browser.run(
            """
            const mirror = document.createElement("paraph-mirror");
            const seen = [];
            for (const name of ["state", "begin", "ink", "undo", "clear", "end", "error"]) {
              mirror.addEventListener(name, ({ detail }) => seen.push(name === "error" ? `error ${detail.name}` : name));
            }
            mirror.setAttribute("src", "/");
            document.body.append(mirror);
            window.mirror = mirror;
            while (seen.filter((name) => !name.startsWith("error")).length < given[0]) await new Promise(requestAnimationFrame);
            return seen;
            """, sum(map(len, streams)))

    def mirrored(self):
        return self.picture(self.browser.run("return mirror.canvas.toDataURL()"))

    def test_the_mirror_is_the_pads_picture_to_the_pixel(self):
        places = [loop(200, 150, 120), loop(420, 150, 80)]
        self.show([
            ("state", {"state": "signing"}), glass(600, 300), stroke(0, places[0]), stroke(1, places[1], start=2.0),
            ("end", {"signature": 1, "outcome": "saved"}),
        ])
        picture, expected = self.mirrored(), self.expected([(places[0], 0.0), (places[1], 2.0)])
        self.assertEqual((picture.width, picture.height), (600, 300))
        self.assertEqual(picture.channel(0), expected.channel(0))
        self.assertEqual(self.seen, ["state", "begin", "ink", "ink", "end"])

    def test_a_stream_that_ends_is_continued_where_it_was(self):
        places = loop(200, 150, 120)
        steps = stroke(0, places)[1]["samples"]
        first, second = ({"signature": 1, "samples": part} for part in (steps[:17], steps[17:]))
        self.show([glass(600, 300), ("ink", first)], [("ink", second)])
        self.assertEqual(self.pad.last_ids, [None, "101"])
        self.assertEqual(self.mirrored().channel(0), self.expected([(places, 0.0)]).channel(0))
        self.assertIn("error Unreachable", self.seen)

    def test_undone_and_wiped_ink_goes(self):
        first, second = [(100, 100), (200, 110), (300, 100)], loop(420, 150, 80)
        self.show([
            glass(600, 300), stroke(0, first), stroke(1, loop(300, 200, 60)), ("undo", {"signature": 1}),
            stroke(1, second, start=3.0),
        ])
        self.assertEqual(self.mirrored().channel(0), self.expected([(first, 0.0), (second, 3.0)]).channel(0))
        self.new_fake()
        self.browser.open(self.server.address + "/blank")
        self.show([glass(600, 300), stroke(0, first), ("clear", {"signature": 1})])
        self.assertEqual(set(self.mirrored().channel(0)), {255})

    def test_another_panel_is_another_canvas(self):
        self.show([glass(600, 300), stroke(0, [(10, 10), (90, 90)]), glass(400, 200, 2), stroke(0, loop(200, 100, 80), 2)])
        picture = self.mirrored()
        self.assertEqual((picture.width, picture.height), (400, 200))
        self.assertEqual(picture.channel(0), self.expected([(loop(200, 100, 80), 0.0)], 400, 200).channel(0))

    def test_ink_of_another_signature_is_not_drawn(self):
        self.show([glass(600, 300, 2), stroke(0, [(10, 10), (90, 90)], signature=1)])
        self.assertEqual(set(self.mirrored().channel(0)), {255})

    def test_a_glass_beyond_all_limits_is_an_error_and_no_end(self):
        self.show([glass(40000, 40000), glass(400, 200, 2), stroke(0, loop(200, 100, 80), 2)])
        self.assertEqual(self.seen[0], "error RangeError")
        self.assertEqual(self.mirrored().width, 400)

    def test_who_may_not_look_is_told_and_does_not_ask_again(self):
        self.pad.live = lambda handler: (self.pad.last_ids.append(None), self.pad.reply(handler, *problem(403, "StrokesNotAllowed")))
        try:
            error = self.browser.run(
                """
                const mirror = document.createElement("paraph-mirror");
                let timers = 0;
                // Not the longer one that ends a silent stream.
                window.setTimeout = (action, wait) => { if (wait < 30000) timers++; };
                const told = new Promise((resolve) => mirror.addEventListener("error", ({ detail }) => resolve(detail.name)));
                mirror.setAttribute("src", "/");
                document.body.append(mirror);
                const name = await told;
                for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
                return [name, timers];
                """)
        finally:
            del self.pad.live
        self.assertEqual((error, len(self.pad.last_ids)), (["NotAllowed", 0], 1))

    def test_a_mirror_without_an_address_asks_nobody(self):
        self.browser.run(
            """
            document.body.append(document.createElement("paraph-mirror"));
            for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
            await fetch("/v1/info");
            """)
        self.assertEqual(self.pad.last_ids, [])

    def test_ink_returns_when_the_browser_restores_a_lost_canvas(self):
        self.show([glass(600, 300), stroke(0, loop(200, 150, 120))])
        before = self.mirrored()
        self.browser.run("mirror.canvas.getContext('2d').clearRect(0, 0, 600, 300)")
        self.assertNotEqual(self.mirrored().bytes, before.bytes)
        self.browser.run("mirror.canvas.dispatchEvent(new Event('contextrestored'))")
        self.assertEqual(self.mirrored().bytes, before.bytes)

    def test_a_mirror_that_nobody_sees_lets_the_stream_go_until_somebody_does(self):
        self.show([glass(600, 300)])
        turn(self.browser, hidden=True)
        self.assertEqual(self.pad.left.get(timeout=SECONDS), 1)
        self.browser.run("mirror.setAttribute('src', '/'); await fetch('/v1/info')")
        self.assertEqual(len(self.pad.last_ids), 1)
        self.pad.streams.append([glass(400, 200, 2), stroke(0, loop(200, 100, 80), 2)])
        turn(self.browser, hidden=False)
        self.browser.run("while (mirror.canvas.width !== 400) await new Promise(requestAnimationFrame)")
        self.assertEqual(len(self.pad.last_ids), 2)

    def test_a_mirror_that_leaves_the_page_lets_the_stream_go(self):
        self.show([glass(600, 300)])
        self.browser.run("mirror.remove()")
        self.assertEqual(self.pad.left.get(timeout=SECONDS), 1)
        self.assertEqual(len(self.pad.last_ids), 1)


if __name__ == "__main__":
    unittest.main()
