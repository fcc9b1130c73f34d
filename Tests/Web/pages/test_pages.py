"""The counter's page and the locker's, with a stand-in for paraph-web."""
import base64
import json
import os
import re
import sys
import unittest

from browser import PageTest
from fakes import SAVED, glass, problem, stroke
from server import PAGES, ROOT
from test_pad import loop

sys.path.insert(0, os.path.join(ROOT, "Tests", "PadTests", "Programs"))
sys.path.append(os.path.join(ROOT, "Tests", "Appliance"))

from machine.png import encode  # noqa: E402
from pad import until  # noqa: E402

LANGUAGES = ["ar", "de", "en", "ja", "pt"]
WORDS = os.path.join(ROOT, "Sources", "web-pages")
SECONDS = 10
# A signature whose picture is wider than a phone: 1000 × 9 grey pixels.
PICTURE = encode(1000, 9, 1, bytes(1000 * 9))
WIDE = {"state": "saved", "signature": {**SAVED["signature"], "png": base64.b64encode(PICTURE).decode()}}


def waited(browser, condition, seconds=10):
    """Waits until an expression of the page is true; its value."""
    return browser.run(
        """
        const start = performance.now();
        for (;;) {
          const value = (() => (%s))();
          if (value) return value;
          if (performance.now() - start > %d) throw new Error(`not within the time: ${document.body.innerText}`);
          await new Promise(requestAnimationFrame);
        }
        """ % (condition, 1000 * seconds))


def turn(browser, hidden):
    """Tells a page that nobody sees it, or that somebody does."""
    browser.run(
        """
        Object.defineProperty(document, "hidden", { configurable: true, value: given[0] });
        document.dispatchEvent(new Event("visibilitychange"));
        """, hidden)


class Pages(PageTest):
    def setUp(self):
        self.new_fake()

    def open(self, path="/"):
        self.browser.open(self.server.address + path)

    def wait(self, condition):
        return waited(self.browser, condition)


class Counter(Pages):
    def ask(self, reference="", prompt=""):
        self.wait("document.getElementById('state').textContent")
        self.browser.run(
            """
            document.querySelector("[name=reference]").value = given[0];
            document.querySelector("[name=prompt]").value = given[1];
            document.getElementById("ask").click();
            """, reference, prompt)

    def test_a_request_shows_its_signature_to_keep(self):
        self.pad.answers = [SAVED]
        self.open()
        self.ask("Order 7/8", "Parcel for Ms Brinkmann")
        self.wait("!document.getElementById('result').hidden && document.getElementById('picture').complete")
        self.assertEqual(
            self.browser.run("return ['png', 'svg'].map((id) => document.getElementById(id).download)"),
            ["Order-7-8.png", "Order-7-8.svg"])
        self.assertEqual(self.browser.run("return document.getElementById('picture').naturalWidth"), 1)
        self.assertEqual(self.wait("document.getElementById('outcome').textContent"), "Signed")
        self.assertEqual(
            (self.pad.asked[0]["reference"], self.pad.asked[0]["prompt"], self.pad.asked[0]["language"]),
            ("Order 7/8", "Parcel for Ms Brinkmann", "en"))
        self.assertEqual(self.browser.complaints(), [])

    def test_the_page_cancels_its_request(self):
        self.open()
        self.ask("E 5")
        self.wait("!document.getElementById('cancel').disabled")
        until(lambda: self.pad.asked, "the pad is asked", SECONDS)
        self.browser.run("document.getElementById('cancel').click()")
        self.assertEqual(self.pad.cancelled.get(timeout=SECONDS), {"reference": "E 5"})
        self.assertEqual(self.wait("document.getElementById('outcome').textContent"), "Cancelled")
        self.assertFalse(self.browser.run("return document.getElementById('ask').disabled"))

    def test_errors_are_told_in_words(self):
        for answer, expected in (
            (problem(409, "Busy"), "The pad serves another request"),
            (problem(503, "OutOfService", reason="disk"), "Out of service"),
            ({"state": "timed_out"}, "Time is up"),
            (problem(400, "InvalidParameter", parameter="prompt", limit=40), "The text does not fit on the pad: at most 40 characters"),
            (problem(400, "InvalidMessage"), "The pad did not accept the request"),
        ):
            self.pad.answers = [answer]
            self.open()
            self.ask()
            self.assertEqual(self.wait("document.getElementById('outcome').textContent"), expected)

    def test_a_token_is_asked_for_where_one_is_needed_and_kept(self):
        self.pad.token = "secret"
        self.pad.info["web"] = {"mirror": True, "press": False}
        self.pad.streams = [[("state", {"state": "idle"}), glass(600, 300)]]
        self.pad.answers = [SAVED]
        self.open()
        for token in ("wrong", "secret"):
            self.wait("!document.getElementById('access').hidden")
            self.assertEqual(
                self.browser.run("return document.getElementById('outcome').textContent"), "The pad requires an access token")
            self.browser.run(
                """
                document.querySelector("[name=token]").value = given[0];
                document.querySelector("#access button").click();
                """, token)
        self.wait("document.getElementById('access').hidden && document.getElementById('mirror').canvas.width === 600")
        self.assertEqual(self.browser.run("return document.getElementById('outcome').textContent"), "")
        self.ask("T 1")
        self.assertTrue(self.wait("document.getElementById('outcome').textContent === 'Signed'"))
        self.open()
        self.wait("document.getElementById('state').textContent === 'Ready'")
        self.assertTrue(self.browser.run("const { hidden } = document.getElementById('access'); sessionStorage.clear(); return hidden"))

    def test_the_state_of_the_pad_is_told_as_it_changes(self):
        self.pad.streams = [[("state", {"state": "invited"}), ("state", {"state": "signing"})]]
        self.open()
        self.assertTrue(self.wait("document.getElementById('state').textContent === 'The person is signing'"))

    def test_a_tab_that_nobody_sees_lets_the_stream_go_until_somebody_does(self):
        for mirror in (False, True):
            with self.subTest(mirror=mirror):
                self.new_fake()
                self.pad.info["web"] = {"mirror": mirror, "press": False}
                self.pad.streams = [[("state", {"state": "invited"})]]
                self.open()
                self.wait("document.getElementById('state').textContent === 'Waiting for the person'")
                turn(self.browser, hidden=True)
                self.assertEqual(self.pad.left.get(timeout=SECONDS), 1)
                self.pad.streams.append([("state", {"state": "signing"})])
                turn(self.browser, hidden=False)
                self.wait("document.getElementById('state').textContent === 'The person is signing'")
                self.assertEqual(len(self.pad.last_ids), 2)

    def test_a_pad_that_comes_later_is_found(self):
        self.pad.info = problem(503, "Unreachable")
        self.open()
        self.assertTrue(self.wait("document.getElementById('state').textContent === 'No pad answers'"))
        self.pad.info = {"state": "idle", "web": {"mirror": False, "press": False}}
        self.assertTrue(self.wait("document.getElementById('state').textContent === 'Ready'"))

    def test_glass_and_buttons_are_shown_where_they_are_allowed(self):
        self.open()
        self.wait("document.getElementById('state').textContent")
        hidden = "return ['mirror', 'clear', 'done'].map((id) => document.getElementById(id).hidden)"
        self.assertEqual(self.browser.run(hidden), [True, True, True])
        self.new_fake()
        self.pad.info["web"] = {"mirror": True, "press": True}
        self.pad.streams = [[("state", {"state": "signing"}), glass(600, 300), stroke(0, loop(200, 150, 120))]]
        self.open()
        self.wait("!document.getElementById('mirror').hidden && document.getElementById('mirror').canvas.width === 600")
        self.assertEqual(self.browser.run(hidden), [False, False, False])
        self.browser.run("document.getElementById('done').click()")
        self.assertEqual(self.pad.pressed.get(timeout=SECONDS), "/v1/done")
        self.assertEqual(self.browser.complaints(), [])

    def test_a_button_that_cannot_be_pressed_is_told_in_words(self):
        self.pad.info["web"] = {"mirror": False, "press": True}
        self.open()
        for button in ("done", "clear"):
            # As paraph-web answers: see test_buttons_that_are_not_enabled_are_refused.
            self.pad.presses = [problem(409, "NotEnabled")]
            self.wait(f"!document.getElementById('{button}').hidden")
            self.browser.run("document.getElementById('outcome').textContent = ''; document.getElementById(given[0]).click()", button)
            self.assertEqual(self.wait("document.getElementById('outcome').textContent"), "Nothing is being signed")
            self.assertEqual(self.pad.pressed.get(timeout=SECONDS), f"/v1/{button}")

    def test_a_phone_needs_no_sideways_scrolling(self):
        self.browser.command("Emulation.setDeviceMetricsOverride", width=320, height=640, deviceScaleFactor=2, mobile=True)
        try:
            for language in LANGUAGES:
                self.new_fake()
                self.pad.info["web"] = {"mirror": True, "press": True}
                self.pad.streams = [[glass(1024, 600)]]
                self.pad.answers = [WIDE]
                self.open(f"/?lang={language}")
                self.wait("document.getElementById('mirror').canvas.width === 1024 && !document.getElementById('mirror').hidden")
                self.ask("4711")
                self.wait("!document.getElementById('result').hidden && document.getElementById('picture').naturalWidth === 1000")
                self.assertLessEqual(self.browser.run("return document.documentElement.scrollWidth"), 320, language)
        finally:
            self.browser.command("Emulation.clearDeviceMetricsOverride")

    def test_words_can_be_read_in_light_and_dark(self):
        for scheme, is_dark in (("light", False), ("dark", True)):
            self.browser.command("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
            self.open()
            self.wait("document.getElementById('state').textContent")
            pairs = self.browser.run(
                """
                const luminance = (colour) => {
                  const [r, g, b] = colour.match(/[0-9.]+/g).map(Number).map((value) => value / 255)
                    .map((value) => value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
                  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
                };
                const ground = (element) => {
                  const colour = getComputedStyle(element).backgroundColor;
                  return colour === "rgba(0, 0, 0, 0)" ? ground(element.parentElement) : colour;
                };
                const ids = ["state", "ask", "request", "outcome"];
                return [luminance(ground(document.body)), ...ids.map((id) => {
                  const element = document.getElementById(id);
                  const [a, b] = [luminance(getComputedStyle(element).color), luminance(ground(element))].sort((a, b) => b - a);
                  return (a + 0.05) / (b + 0.05);
                })];
                """)
            self.assertEqual(pairs[0] < 0.2, is_dark)
            # WCAG 2.2, 1.4.3.
            self.assertGreaterEqual(min(pairs[1:]), 4.5, scheme)
        self.browser.command("Emulation.setEmulatedMedia", features=[])


class Kiosk(Pages):
    def test_a_person_signs_on_the_pad_and_the_box_opens(self):
        self.pad.answers = [SAVED]
        self.open("/kiosk")
        self.wait("document.getElementById('sign').textContent === 'Collect a parcel'")
        self.browser.run("document.getElementById('sign').click()")
        self.assertEqual(self.wait("/Box/.test(document.getElementById('words').textContent) && document.getElementById('words').textContent"),
                         "Thank you. Box 7 is open.")
        self.assertEqual(self.browser.complaints(), [])

    def test_without_a_pad_a_person_signs_on_the_page(self):
        self.pad.info = problem(503, "Unreachable")
        self.open("/kiosk")
        self.wait("document.getElementById('sign').textContent")
        self.browser.run("document.getElementById('sign').click()")
        left, top = self.wait("!canvas.hidden && [canvas.getBoundingClientRect().x, canvas.getBoundingClientRect().y]")
        self.browser.draw([(left + x / 4, top + y / 4) for x, y in loop(300, 300, 200)])
        self.wait("!document.querySelector('[role=group] button').disabled")
        self.browser.run("document.querySelector('[role=group] button').click()")
        self.assertTrue(self.wait("document.getElementById('words').textContent === 'Thank you. Box 7 is open.'"))
        self.assertTrue(self.browser.run("return canvas.hidden"))

    def test_it_is_short_enough_to_copy(self):
        lines = 0
        for name in ("kiosk.html", "kiosk.js"):
            with open(os.path.join(WORDS, name), encoding="utf-8") as file:
                lines += len(file.readlines())
        self.assertLessEqual(lines, 60)


class Languages(Pages):
    def english(self):
        """All words that pages and modules name."""
        words = set()
        for name in ("index.html", "kiosk.html"):
            with open(os.path.join(WORDS, name), encoding="utf-8") as file:
                words |= set(re.findall(r'data-words="([^"]+)"', file.read()))
        for name in ("counter.js", "kiosk.js", "language.js"):
            with open(os.path.join(WORDS, name), encoding="utf-8") as file:
                source = file.read()
            words |= set(re.findall(r'text\("((?:[^"\\]|\\.)+)"', source))
            states = re.search(r"const STATES = \{(.*?)\};", source, re.S)
            if states:
                words |= set(re.findall(r': "([^"]+)"', states[1]))
        return words | {"Cancelled", "Please try again later."}

    def test_every_word_is_there_in_every_language(self):
        self.open("/blank")
        words = self.browser.run('return (await import("/words.js")).default')
        self.assertEqual(sorted(words), [language for language in LANGUAGES if language != "en"])
        english = self.english()
        self.assertGreater(len(english), 25)
        for language, translated in words.items():
            missing = {word for word in english if not translated.get(word)}
            self.assertEqual(missing, set(), language)
            for word in english:
                self.assertEqual("{0}" in word, "{0}" in translated[word], (language, word))

    def test_pages_speak_the_readers_language(self):
        for language, expected in (("de", "Unterschrift anfordern"), ("pt-BR", "Pedir assinatura"), ("ja", "署名を依頼"),
                                   ("ar", "طلب توقيع"), ("en", "Request a signature"), ("xx", "Request a signature"),
                                   ("constructor", "Request a signature")):
            self.open(f"/?lang={language}")
            self.assertEqual(self.wait("document.getElementById('ask').textContent"), expected)
            self.assertEqual(self.browser.complaints(), [])
            self.assertEqual(
                self.browser.run("return [document.documentElement.lang, document.documentElement.dir]"),
                [language[:2] if language[:2] in LANGUAGES else "en", "rtl" if language == "ar" else "ltr"])
        self.open("/kiosk?lang=de")
        self.assertTrue(self.wait("document.title === 'Paket abholen'"))

    def test_a_browser_says_which_language_it_wants(self):
        self.browser.command("Emulation.setUserAgentOverride", userAgent="Test", acceptLanguage="de-AT,en")
        try:
            self.open()
            self.assertEqual(self.wait("document.getElementById('ask').textContent"), "Unterschrift anfordern")
        finally:
            self.browser.command("Emulation.setUserAgentOverride", userAgent="", acceptLanguage="en")


class Packages(unittest.TestCase):
    def test_the_package_holds_the_module_its_types_and_the_ink(self):
        with open(os.path.join(PAGES, "package.json"), encoding="utf-8") as file:
            package = json.load(file)
        self.assertEqual(package["files"], ["paraph.js", "paraph.d.ts", "ink.wasm"])
        with open(os.path.join(ROOT, "config", "debian", "changelog"), encoding="utf-8") as file:
            self.assertEqual(f"paraph ({package['version']})", file.readline().partition(" unstable")[0])
        places = [package["main"], package["types"], package["exports"]["./ink.wasm"], *package["exports"]["."].values()]
        self.assertEqual({os.path.normpath(place) for place in places}, set(package["files"]))
        for name in package["files"]:
            self.assertGreater(os.path.getsize(os.path.join(PAGES, name)), 1000)

    def test_the_types_name_what_the_module_exports(self):
        with open(os.path.join(WORDS, "paraph.js"), encoding="utf-8") as file:
            exported = set(re.findall(r"^export (?:async )?(?:class|function) (\w+)", file.read(), re.M))
        with open(os.path.join(WORDS, "paraph.d.ts"), encoding="utf-8") as file:
            declared = set(re.findall(r"^export (?:class|function) (\w+)", file.read(), re.M))
        self.assertEqual(exported, declared)

    def test_the_version_is_that_of_the_debian_packages(self):
        with open(os.path.join(WORDS, "package.json"), encoding="utf-8") as file:
            version = json.load(file)["version"]
        with open(os.path.join(ROOT, "config", "debian", "changelog"), encoding="utf-8") as file:
            self.assertIn(f"({version})", file.readline())


if __name__ == "__main__":
    unittest.main()
