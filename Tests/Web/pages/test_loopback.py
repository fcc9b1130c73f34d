"""Chromium's permission for loopback: a public page and the real paraph-web, with and without a kiosk's policy."""
import json
import os
import shutil
import ssl
import subprocess
import sys
import tempfile
import unittest

from browser import Browser
from server import POLICY, ROOT, Handler, Server

sys.path.insert(0, os.path.join(ROOT, "Tests", "Web", "service"))

from web import PARAPHD, Pad, Web  # noqa: E402

ASKS = """
const signal = AbortSignal.timeout(5000);
try {
  const pad = await Paraph.connect(given[0], { signal });
  return (await pad.info()).state;
} catch (error) { return error.name; }
"""
# Reaches the server even where connecting fails.
SHOWS = """
try {
  await fetch(`${given[0]}/v1/show`, {
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ text: "x", time_limit: 60 }),
    signal: AbortSignal.timeout(5000),
  });
  return "shown";
} catch (error) { return error.name; }
"""
LOADS = """
const { Pad } = await import(`${given[0]}/paraph.js`);
const canvas = document.createElement("canvas");
document.body.append(canvas);
return new Pad(canvas).isEmpty();
"""
# What a page reads and does at its own origin.
RELATES = """
const [info, show] = [await fetch("/v1/info"), await fetch("/v1/show", {
  method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ text: "x", time_limit: 60 }),
})];
const stream = await new Promise((resolve) => {
  const source = new EventSource("/v1/live");
  source.onopen = () => resolve("open");
  source.onerror = () => resolve("refused");
});
return [info.status, show.status, stream];
"""
# Where Chromium looks for policies, for this Chromium alone.
WITH_POLICY = """#!/bin/sh
exec unshare {user} --mount sh -c 'mount -t tmpfs policies /etc/chromium && mkdir -p /etc/chromium/policies/managed &&
  cp {policy} /etc/chromium/policies/managed && exec chromium "$@"' chromium "$@"
"""
USER = [] if os.geteuid() == 0 else ["--map-root-user"]


def has_namespaces():
    return shutil.which("unshare") and not subprocess.run(["unshare", *USER, "--mount", "true"], capture_output=True).returncode


class Loopback(unittest.TestCase):
    """A page by https that Chromium takes for one from the Internet."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="paraph-loopback-")
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        key, certificate = (os.path.join(self.folder, name) for name in ("key.pem", "certificate.pem"))
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=127.0.0.1", "-days", "2",
             "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", certificate], check=True, capture_output=True)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        self.page = Server(context=context, policy=POLICY.replace("'self'", "*"))
        self.addCleanup(self.page.close)
        self.pad = Pad(PARAPHD)
        self.addCleanup(self.pad.close)
        self.service = Web(self.pad.socket, f"origins = {self.page.address}")
        self.addCleanup(self.service.close)

    def asked(self, binary="chromium", public=True, script=ASKS, service=None):
        """The answer to a page: the pad's state, or the error's name."""
        space = f"--ip-address-space-overrides={self.page.address.partition('//')[2]}=public"
        browser = Browser(["--ignore-certificate-errors", *([space] if public else [])], binary)
        try:
            browser.open(self.page.address + "/blank")
            return browser.run(script, (service or self.service).address)
        finally:
            browser.close()

    def test_a_public_page_does_not_reach_the_pad_unless_somebody_permits_it(self):
        self.assertEqual(self.asked(public=False), "idle")
        self.assertIn(self.asked(), ("Unreachable", "TimeoutError"))

    def test_a_page_of_a_listed_origin_loads_the_module_and_its_ink(self):
        self.assertIs(self.asked(public=False, script=LOADS), True)

    def test_a_page_of_another_origin_is_refused_and_shows_nothing(self):
        foreign = Web(self.pad.socket)
        self.addCleanup(foreign.close)
        self.assertEqual(self.asked(public=False, service=foreign), "Unreachable")
        self.assertEqual(self.asked(public=False, script=SHOWS, service=foreign), "TypeError")
        self.assertEqual(foreign.state(), "idle")

    def test_a_page_whose_name_is_rebound_to_loopback_is_refused(self):
        self.service.close()
        port = self.service.port
        stranger = Server(port=port)
        # A connection that is kept would go on to reach it.
        stranger.RequestHandlerClass = type("Closing", (Handler,), {"protocol_version": "HTTP/1.0"})
        browser = Browser(["--host-resolver-rules=MAP rebound.example 127.0.0.1"])
        self.addCleanup(browser.close)
        browser.open(f"http://rebound.example:{port}/blank")
        self.assertEqual(browser.run(RELATES), [404, 404, "refused"])
        # The name means another server from now on, which the page takes for its own.
        stranger.close()
        self.service = Web(self.pad.socket, f"origins = {self.page.address}", port=port)
        self.addCleanup(self.service.close)
        self.assertEqual(browser.run(RELATES), [403, 403, "refused"])
        self.assertEqual(self.service.state(), "idle")

    @unittest.skipUnless(has_namespaces(), "needs unshare and user namespaces")
    def test_a_kiosks_policy_permits_it_without_a_question(self):
        policy, binary = (os.path.join(self.folder, name) for name in ("paraph.json", "chromium"))
        with open(policy, "w", encoding="utf-8") as file:
            json.dump({"LoopbackNetworkAllowedForUrls": [self.page.address]}, file)
        with open(binary, "w", encoding="utf-8") as file:
            file.write(WITH_POLICY.format(user=" ".join(USER), policy=policy))
        os.chmod(binary, 0o755)
        self.assertEqual(self.asked(binary), "idle")


if __name__ == "__main__":
    unittest.main()
