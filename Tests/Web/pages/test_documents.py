"""Documents of a page before the real paraph-web and paraphd."""
import hashlib
import os
import sys
import unittest

from browser import PageTest
from server import ROOT

sys.path.insert(0, os.path.join(ROOT, "Tests", "Web", "service"))

from web import PARAPHD, Pad, Web, until  # noqa: E402

# Two pages that the browser has drawn, and their digests.
DRAW = """
    const draw = async (text) => {
      const canvas = new OffscreenCanvas(400, 150);
      const context = canvas.getContext("2d");
      [context.fillStyle, context.font] = ["white", "40px sans-serif"];
      context.fillRect(0, 0, 400, 150);
      context.fillStyle = "black";
      context.fillText(text, 20, 100);
      return canvas.convertToBlob();
    };
    const digest = async (blob) => Array.from(
      new Uint8Array(await crypto.subtle.digest("SHA-256", await blob.arrayBuffer())), (byte) => byte.toString(16).padStart(2, "0")).join("");
    const pages = [await draw("Page 1"), await draw("Page 2")];
    const pad = await Paraph.connect();
    """


class Documents(PageTest):
    def start(self, signs=False):
        self.pad = Pad(PARAPHD, signs=signs)
        self.addCleanup(self.pad.close)
        self.service = Web(self.pad.socket)
        self.addCleanup(self.service.close)
        self.addCleanup(self.browser.open, "about:blank")
        self.browser.open(self.service.address + "/")

    def test_a_document_of_two_pages_is_read_and_signed(self):
        self.start({"strokes": 1, "reports": 12, "pause": 0.005, "swipes": 1})
        document, digests, states = self.browser.run(
            DRAW + """
            const [states, end] = [[], new AbortController()];
            pad.live((name, data) => { if (name === "state") states.push([data.state, data.page ?? null]); }, { signal: end.signal });
            const original = new Blob(["original"]);
            const { document } = await pad.sign({ prompt: "Contract", document: { name: "Contract.pdf", pages, original } });
            end.abort();
            return [document, await Promise.all(pages.map(digest)), states];
            """)
        self.assertEqual((document["name"], document["digest"]), ("Contract.pdf", hashlib.sha256(b"original").hexdigest()))
        self.assertEqual([page["digest"] for page in document["pages"]], digests)
        self.assertIn(["reading", 2], states)

    def test_a_bad_page_is_named(self):
        self.start()
        result = self.browser.run(
            DRAW + """
            const damaged = pages[1].slice(0, pages[1].size - 30);
            const bad = [["empty", new Blob([])], ["text", new Blob(["no picture"])], ["damaged", damaged]];
            const results = [];
            for (const [, page] of bad) {
              const document = { name: "A", pages: [pages[0], page], digest: "0".repeat(64) };
              await pad.sign({ document }).catch((error) => results.push([error.name, error.page, error.reason !== ""]));
            }
            return results;
            """)
        self.assertEqual(result, [["BadDocument", 2, True]] * 3)
        self.assertEqual(self.service.state(), "idle")

    def test_an_aborted_request_discards_what_is_being_read(self):
        self.start()
        self.browser.run(
            DRAW + """
            window.request = new AbortController();
            window.outcome = pad.sign({ document: { name: "A", text: "Terms" }, signal: window.request.signal }).catch((error) => error.name);
            """)
        until(lambda: self.service.state() == "reading", "the person reads")

        def kept():
            return [name for _, _, names in os.walk(os.path.join(self.pad.runtime, "documents")) for name in names]

        self.assertNotEqual(kept(), [])
        self.assertEqual(self.browser.run("window.request.abort(); return outcome"), "AbortError")
        until(lambda: not kept(), "the pages are discarded", 4)
        self.assertNotEqual(self.service.state(), "reading")


if __name__ == "__main__":
    unittest.main()
