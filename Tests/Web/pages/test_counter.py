"""The counter's page before the real paraph-web and paraphd, with a recorded hand."""
import os
import sys
import unittest

from browser import PageTest
from server import ROOT
from test_pages import waited

sys.path.insert(0, os.path.join(ROOT, "Tests", "Web", "service"))

from web import PARAPHD, Pad, Tap, Web, until  # noqa: E402


class DuctusPad(Pad):
    """Draws with the default model, and saves pictures of the glass."""

    def start(self, *arguments, **environment):
        path = self.path("paraphd.conf")
        text = self.text(path)
        if "dpi = panel" not in text:
            text = text.replace("model = polyline", "model = ductus")
            text = text.replace("[signature]\n", "[signature]\ndpi = panel\ntrim = no\n")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        super().start(*arguments, **environment)


class Counter(PageTest):
    def start(self, signs, tapped=False):
        self.pad = DuctusPad(PARAPHD, signs=signs, control="mode = 0666\nwatch-strokes = yes\npress-buttons = yes")
        self.addCleanup(self.pad.close)
        self.tap = Tap(self.pad.socket) if tapped else None
        if tapped:
            self.addCleanup(self.tap.close)
        self.service = Web(self.tap.path if tapped else self.pad.socket, "mirror = yes\npress = yes")
        self.addCleanup(self.service.close)
        self.addCleanup(self.browser.open, "about:blank")
        self.browser.open(self.service.address + "/")
        self.wait("document.getElementById('state').textContent === 'Ready'")

    def wait(self, condition):
        return waited(self.browser, condition, seconds=30)

    def ask(self, reference):
        self.browser.run("document.querySelector('[name=reference]').value = given[0]; document.getElementById('ask').click()", reference)

    def test_a_signature_is_requested_mirrored_to_the_pixel_and_kept(self):
        self.start({"strokes": 3, "reports": 60})
        pen = self.browser.run(
            """
            const [pad, found] = [await Paraph.connect(), new AbortController()];
            let pen;
            await pad.live((name, data) => { if (name === "begin") { pen = data.pen; found.abort(); } }, { signal: found.signal });
            return pen;
            """)
        self.browser.run(
            """
            const mirror = document.getElementById("mirror");
            mirror.addEventListener("end", () => { window.mirrored = mirror.canvas.toDataURL(); });
            """)
        self.ask("4711")
        self.wait("!document.getElementById('result').hidden && window.mirrored && document.getElementById('picture').complete")
        mirrored = self.picture(self.browser.run("return mirrored"))
        saved = self.picture(self.browser.run("return document.getElementById('picture').src"))
        self.assertEqual((mirrored.width, mirrored.height), (saved.width, saved.height))
        # The file is black on white, and the glass has the theme's colours: blended, and rounded, as the pad does.
        for channel in range(3):
            ground, ink = (int(pen[name][1 + 2 * channel : 3 + 2 * channel], 16) for name in ("ground", "ink"))
            expected = bytes((ground * value + ink * (255 - value) + 127) // 255 for value in saved.channel(0))
            self.assertEqual(mirrored.channel(channel), expected)
        self.assertGreater(sum(value == 0 for value in saved.channel(0)), 200)
        self.assertEqual(self.browser.complaints(), [])

    def test_buttons_are_of_no_use_while_nothing_is_signed(self):
        self.start(False)
        for button in ("done", "clear"):
            self.browser.run("document.getElementById('outcome').textContent = ''; document.getElementById(given[0]).click()", button)
            self.assertEqual(self.wait("document.getElementById('outcome').textContent"), "Nothing is being signed")

    def test_the_page_cancels_its_request_on_the_pad(self):
        self.start(False)
        self.ask("A 1")
        self.wait("document.getElementById('state').textContent === 'Waiting for the person'")
        self.browser.run("document.getElementById('cancel').click()")
        self.assertEqual(self.wait("document.getElementById('outcome').textContent"), "Cancelled")
        self.assertTrue(self.wait("document.getElementById('state').textContent === 'Ready'"))

    def test_a_request_that_is_made_again_at_once_is_not_cancelled_with_the_one_before(self):
        self.start(False)
        self.browser.run(
            """
            const [pad, first] = [await Paraph.connect(), new AbortController()];
            window.states = [];
            pad.live((name, data) => { if (name === "state") states.push(data.state); }, { ink: false });
            pad.sign({ reference: "R", signal: first.signal }).catch(() => {});
            window.again = () => {
              states.length = 0;
              first.abort();
              pad.sign({ reference: "R" }).catch((error) => { window.end = error.name; });
            };
            window.cancel = () => pad.cancel("R");
            """)
        self.wait("states.at(-1) === 'invited'")
        self.browser.run("again()")
        self.wait("window.end || (states.includes('cancelled') && states.at(-1) === 'invited')")
        self.assertIsNone(self.browser.run("return window.end"))
        self.browser.run("await cancel()")
        self.assertEqual(self.wait("window.end"), "Cancelled")

    def test_the_person_cancels_the_request_of_the_page_on_the_pad(self):
        self.start({"strokes": 1, "reports": 12, "cancels": True})
        self.browser.run("window.outcome = (await Paraph.connect()).sign({ cancellable: true }).catch((error) => error)")
        self.assertEqual(
            self.browser.run("const error = await outcome; return [error.name, error.by]"), ["Cancelled", "person"])
        self.assertTrue(self.wait("document.getElementById('state').textContent === 'Ready'"))
        self.ask("D 4")
        self.assertEqual(self.wait("document.getElementById('outcome').textContent"), "Cancelled")
        self.assertTrue(self.browser.run("return document.getElementById('result').hidden"))

    def test_a_tab_that_closes_cancels_its_request_on_the_pad(self):
        self.start(False, tapped=True)
        self.ask("B 2")
        self.wait("document.getElementById('state').textContent === 'Waiting for the person'")
        self.browser.open("about:blank")
        until(lambda: self.service.state() != "invited", "the request is cancelled", 30)
        # By the beacon. Without it, the request waits for its client, and ends without a call.
        until(lambda: b'"org.paraph.Pad.Cancel"' in b"".join(self.tap.told), "the beacon arrives", 30)
        self.browser.open(self.service.address + "/")
        self.assertTrue(self.wait("document.getElementById('state').textContent === 'Ready'"))

    def test_a_pad_that_restarts_resumes_the_request_of_the_page(self):
        self.start(False)
        self.ask("C 3")
        self.wait("document.getElementById('state').textContent === 'Waiting for the person'")
        self.pad.end("KILL")
        self.assertTrue(self.wait("document.getElementById('state').textContent === 'No pad answers'"))
        self.pad.start()
        self.assertTrue(self.wait("document.getElementById('state').textContent === 'Waiting for the person'"))
        self.assertEqual(self.browser.run("return document.getElementById('outcome').textContent"), "")
        self.browser.run("document.getElementById('cancel').click()")
        self.assertTrue(self.wait("document.getElementById('state').textContent === 'Ready'"))


if __name__ == "__main__":
    unittest.main()
