"""A Chromium for the tests: pages, real pointer and key events, and PNGs as pixels."""
import atexit
import base64
import json
import os
import shutil
import struct
import subprocess
import tempfile
import unittest
import zlib

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service

from fakes import FakeWeb
from server import ROOT, Server

# Programs of an earlier build would draw other ink.
PROGRAMS = os.environ.get("PARAPH_PROGRAMS", os.path.join(ROOT, ".build", "debug"))
PARAPH = os.path.join(PROGRAMS, "paraph")


class Browser:
    """Chromium with one window of 800 × 600 CSS pixels."""
    ARGUMENTS = (
        "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--window-size=800,600",
        "--force-device-scale-factor=1", "--lang=en", "--accept-lang=en", "--no-first-run", "--disable-background-networking",
        "--force-color-profile=srgb",
    )
    _shared = None

    @classmethod
    def shared(cls):
        """One for all tests, as it starts for seconds."""
        if not cls._shared:
            cls._shared = cls()
            atexit.register(cls._shared.close)
        return cls._shared

    def __init__(self, more=(), binary="chromium"):
        """more: arguments; binary: a program that becomes Chromium."""
        options = Options()
        options.binary_location = shutil.which(binary)
        for argument in (*self.ARGUMENTS, *more):
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.driver = webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))
        self.driver.set_script_timeout(40)

    def open(self, address):
        self.driver.get_log("browser")
        self.driver.get(address)

    def run(self, body, *arguments):
        """Runs the body of an asynchronous function in the page; its value. `Paraph` is the module."""
        # Not evaluated in the page, whose policy refuses that.
        value = self.driver.execute_async_script(
            """
            const done = arguments[arguments.length - 1];
            const given = Array.prototype.slice.call(arguments, 0, -1);
            import("/paraph.js").then(async (Paraph) => {
              window.Paraph = Paraph;
              const value = await (async () => { %s })();
              done({ value: value ?? null });
            }).catch((error) => done({ error: `${error.name}: ${error.message}\\n${error.stack}` }));
            """ % body, *arguments)
        if "error" in value:
            raise AssertionError(value["error"])
        return value["value"]

    def command(self, name, **parameters):
        return self.driver.execute_cdp_cmd(name, parameters)

    def mouse(self, kind, x, y, buttons=1, pointer="mouse", force=0.0):
        self.command(
            "Input.dispatchMouseEvent", type=kind, x=x, y=y, buttons=buttons,
            button="none" if kind == "mouseMoved" else "left", clickCount=0 if kind == "mouseMoved" else 1,
            pointerType=pointer, force=force)

    def draw(self, places, pointer="mouse"):
        """A stroke of real pointer events through places (x, y) or (x, y, force)."""
        (x, y, *force), *rest = places
        self.mouse("mousePressed", x, y, pointer=pointer, force=force[0] if force else 0.0)
        for x, y, *force in rest:
            self.mouse("mouseMoved", x, y, pointer=pointer, force=force[0] if force else 0.0)
        self.mouse("mouseReleased", x, y, buttons=0, pointer=pointer)

    def touch(self, places):
        """A stroke of a finger."""
        for index, (x, y) in enumerate(places):
            self.command(
                "Input.dispatchTouchEvent", type="touchMove" if index else "touchStart", touchPoints=[{"x": x, "y": y}])
        self.command("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])

    def key(self, name, code=0, text="", modifiers=0):
        parameters = {"key": name, "windowsVirtualKeyCode": code, "modifiers": modifiers}
        if text:
            parameters["text"] = text
        self.command("Input.dispatchKeyEvent", type="keyDown" if text else "rawKeyDown", **parameters)
        self.command("Input.dispatchKeyEvent", type="keyUp", **parameters)

    def complaints(self):
        """What the page has logged as warnings and errors since it was opened."""
        return [entry["message"] for entry in self.driver.get_log("browser") if entry["level"] in ("SEVERE", "WARNING")]

    def close(self):
        self.driver.quit()


class Picture:
    """A PNG of 8 bits per channel as pixels: tuples of channels, row by row."""

    def __init__(self, data):
        if isinstance(data, str):
            data = base64.b64decode(data.partition(",")[2])
        assert data[:8] == b"\x89PNG\r\n\x1a\n", "not a PNG"
        at, packed = 8, b""
        while at < len(data):
            length, kind = struct.unpack(">I4s", data[at : at + 8])
            body = data[at + 8 : at + 8 + length]
            if kind == b"IHDR":
                self.width, self.height, depth, colour = struct.unpack(">IIBB", body[:10])
                assert depth == 8
                self.channels = {0: 1, 2: 3, 4: 2, 6: 4}[colour]
            elif kind == b"IDAT":
                packed += body
            at += 12 + length
        self.bytes = self._unfilter(zlib.decompress(packed))

    def _unfilter(self, data):
        size, step = self.width * self.channels, self.channels
        above, rows = bytearray(size), []
        for y in range(self.height):
            start = y * (size + 1)
            kind, row = data[start], bytearray(data[start + 1 : start + 1 + size])
            for i in range(size) if kind else ():
                left, up = row[i - step] if i >= step else 0, above[i]
                corner = above[i - step] if i >= step else 0
                if kind == 1:
                    guess = left
                elif kind == 2:
                    guess = up
                elif kind == 3:
                    guess = (left + up) // 2
                else:
                    sum_ = left + up - corner
                    distances = (abs(sum_ - left), abs(sum_ - up), abs(sum_ - corner))
                    guess = (left, up, corner)[distances.index(min(distances))]
                row[i] = (row[i] + guess) & 255
            rows.append(bytes(row))
            above = row
        return b"".join(rows)

    @classmethod
    def of_pixels(cls, width, height, data):
        """A picture that the browser has decoded: red, green, blue and alpha, deflated."""
        picture = cls.__new__(cls)
        picture.width, picture.height, picture.channels = width, height, 4
        picture.bytes = zlib.decompress(base64.b64decode(data))
        return picture

    def channel(self, index):
        return self.bytes[index :: self.channels]

    @property
    def coverage(self):
        """0 is paper, 255 is ink: alpha, or the darkness of grey."""
        if self.channels in (2, 4):
            return self.channel(self.channels - 1)
        return bytes(255 - value for value in self.channel(0))

    def pixel(self, x, y):
        start = (y * self.width + x) * self.channels
        return tuple(self.bytes[start : start + self.channels])


def render(groups, width, height, scale):
    """The picture that `paraph render` draws of signature_pad's data on a glass of width × height pixels."""
    millimetres = 25.4 / 96
    strokes = [
        {
            "samples": [
                [round(p["time"] * 1e6), p["x"] * millimetres, p["y"] * millimetres, p["pressure"] if p["pressure"] > 0 else None]
                for p in group["points"]
            ]
        }
        for group in groups
    ]
    with tempfile.TemporaryDirectory() as folder:
        source, result = os.path.join(folder, "strokes.json"), os.path.join(folder, "result.png")
        with open(source, "w", encoding="utf-8") as file:
            json.dump(
                {"version": 1, "area": [width / scale, height / scale], "scale": [scale, scale], "model": "ductus", "strokes": strokes},
                file)
        subprocess.run([PARAPH, "render", source, "--no-trim", "--dpi", "panel", "-o", result], check=True)
        with open(result, "rb") as file:
            return Picture(file.read())


class PageTest(unittest.TestCase):
    """Tests with the browser, and a server of the pages of their own."""
    # Pixels of the screen per CSS pixel.
    ratio = 1

    @classmethod
    def setUpClass(cls):
        cls.server = Server()
        cls.addClassCleanup(cls.server.shutdown)
        cls.browser = Browser.shared()
        if cls.ratio != 1:
            cls.browser.command(
                "Emulation.setDeviceMetricsOverride", width=800, height=600, deviceScaleFactor=cls.ratio, mobile=False)
            cls.addClassCleanup(cls.browser.command, "Emulation.clearDeviceMetricsOverride")

    def new_fake(self):
        """What answers below /v1/ from now on; no page of before asks it."""
        self.browser.open("about:blank")
        self.pad = self.server.pad = FakeWeb()

    def new_pad(self, options=None, style="width: 600px; height: 300px"):
        """A page with one canvas at (20, 10), and `pad` on it."""
        self.browser.open(self.server.address + "/blank")
        self.browser.run(
            """
            const canvas = document.createElement("canvas");
            canvas.style.cssText = `position: absolute; left: 20px; top: 10px; ${given[1]}`;
            document.body.append(canvas);
            window.canvas = canvas;
            window.pad = new Paraph.Pad(canvas, given[0] ?? undefined);
            window.events = [];
            for (const name of ["beginStroke", "beforeUpdateStroke", "afterUpdateStroke", "endStroke"]) {
              pad.addEventListener(name, (event) => events.push([name, event.detail?.type ?? null]));
            }
            """, options, style)

    def picture(self, address=None):
        """What a PNG shows, by default that of the pad. The browser decodes it, which is faster than `Picture`."""
        return Picture.of_pixels(*self.browser.run(
            """
            const image = new Image();
            image.src = given[0] ?? pad.toDataURL();
            await image.decode();
            const context = new OffscreenCanvas(image.width, image.height).getContext("2d");
            context.drawImage(image, 0, 0);
            const { data } = context.getImageData(0, 0, image.width, image.height);
            // A megabyte through the driver would take longer than all else.
            const packed = new Response(new Blob([data]).stream().pipeThrough(new CompressionStream("deflate")));
            const bytes = new Uint8Array(await packed.arrayBuffer());
            let text = "";
            for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192));
            return [image.width, image.height, btoa(text)];
            """, address))
