"""Paraph.Pad: signing on the page, and signature_pad's interface."""
import base64
import math
import unittest

from browser import PageTest, Picture, render
from server import POLICY, Server


def loop(x, y, size, count=24):
    """A figure of eight. A browser takes a frame for each place."""
    return [
        (round(x + size * math.sin(i / count * math.tau), 1), round(y + size / 2 * math.sin(2 * i / count * math.tau), 1))
        for i in range(count)
    ]


class Ink(PageTest):
    def test_a_mouse_draws_what_paraph_render_draws_of_the_same_samples(self):
        self.new_pad()
        self.browser.draw(loop(200, 150, 120))
        self.browser.draw(loop(420, 150, 80))
        self.browser.draw([(560, 250)])
        groups = self.browser.run("return pad.toData()")
        self.assertEqual(len(groups), 3)
        self.assertGreater(len(groups[0]["points"]), 20)
        picture, expected = Picture(self.browser.run("return pad.toDataURL()")), render(groups, 600, 300, 96 / 25.4)
        self.assertEqual((picture.width, picture.height), (600, 300))
        self.assertEqual(picture.coverage, expected.coverage)
        self.assertGreater(sum(value == 255 for value in picture.coverage), 500)

    def test_the_memory_of_ink_is_aligned_as_vectors_need(self):
        self.new_pad()
        addresses = self.browser.run(
            """
            const { exports } = (await WebAssembly.instantiateStreaming(fetch("/ink.wasm"))).instance;
            const addresses = [];
            for (let width = 1; width < 40; width++) {
              exports.create(0, width, 3, 4, 4, 0);
              exports.begin(0, 0, 0, -1);
              for (let step = 1; step < width; step++) exports.extend(step / 4, 0, 8e6 * step, -1, 0);
              addresses.push(exports.pixels(), exports.page());
            }
            return addresses;
            """)
        self.assertEqual({address % 16 for address in addresses}, {0})

    def test_a_finger_draws_it(self):
        self.new_pad()
        self.browser.touch(loop(300, 150, 120))
        groups = self.browser.run("return pad.toData()")
        self.assertEqual(len(groups), 1)
        self.assertEqual(self.picture().coverage, render(groups, 600, 300, 96 / 25.4).coverage)

    def test_a_pen_draws_it_with_its_pressure(self):
        self.new_pad()
        places = [(x, y, 0.2 + 0.7 * i / 24) for i, (x, y) in enumerate(loop(300, 150, 120))]
        self.browser.draw(places, pointer="pen")
        groups = self.browser.run("return pad.toData()")
        self.assertGreater(max(point["pressure"] for point in groups[0]["points"]), 0.8)
        self.assertEqual(self.picture().coverage, render(groups, 600, 300, 96 / 25.4).coverage)

    def test_a_pen_that_leaves_elsewhere_keeps_its_pressure(self):
        self.new_pad()
        self.browser.mouse("mousePressed", 120, 110, pointer="pen", force=0.5)
        self.browser.mouse("mouseMoved", 160, 110, pointer="pen", force=0.75)
        self.browser.mouse("mouseReleased", 200, 110, buttons=0, pointer="pen")
        points = self.browser.run("return pad.toData()[0].points")
        self.assertEqual([point["x"] for point in points], [100, 140, 180])
        self.assertEqual(points[2]["pressure"], points[1]["pressure"])
        self.assertGreater(points[2]["pressure"], 0.7)

    def test_a_stroke_that_fails_leaves_the_pad_alive(self):
        self.new_pad({"resize": False})
        self.browser.run("canvas.width = 600; canvas.height = 300; pad.dotSize = () => { throw new RangeError('no'); }; canvas.width = 40000")
        self.browser.draw([(120, 110), (160, 110)])
        self.browser.run("canvas.width = 600; pad.dotSize = 0")
        self.browser.draw([(120, 110), (160, 110)])
        self.assertEqual(self.browser.run("return pad.toData().length"), 1)

    def test_ink_is_shown_while_the_stroke_goes_on(self):
        self.new_pad()
        self.browser.mouse("mousePressed", 120, 110)
        self.browser.mouse("mouseMoved", 160, 110)
        self.browser.mouse("mouseMoved", 200, 110)
        self.assertGreater(self.picture().pixel(180, 100)[3], 150)
        self.browser.mouse("mouseReleased", 200, 110, buttons=0)

    def test_predicted_samples_are_shown_and_not_kept(self):
        self.new_pad()
        self.browser.run(
            """
            PointerEvent.prototype.getPredictedEvents = function () {
              return [new PointerEvent("pointermove", { clientX: this.clientX + 60, clientY: this.clientY })];
            };
            """)
        self.browser.mouse("mousePressed", 120, 110)
        self.browser.mouse("mouseMoved", 160, 110)
        shown = self.picture()
        self.browser.mouse("mouseReleased", 160, 110, buttons=0)
        kept = self.picture()
        self.assertGreater(shown.pixel(190, 100)[3], 0)
        self.assertEqual(kept.pixel(190, 100)[3], 0)
        self.assertEqual(self.browser.run("return pad.toData()[0].points.length"), 2)

    def test_coalesced_samples_are_all_kept(self):
        self.new_pad()
        self.browser.run(
            """
            PointerEvent.prototype.getCoalescedEvents = function () {
              return [20, 10, 0].map((x) => new PointerEvent("pointermove", { clientX: this.clientX - x, clientY: this.clientY }));
            };
            """)
        self.browser.draw([(120, 110), (160, 110)])
        points = self.browser.run("return pad.toData()[0].points")
        self.assertEqual([point["x"] for point in points], [100, 120, 130, 140])

    def test_another_pointer_does_not_disturb_a_stroke(self):
        self.new_pad()
        self.browser.mouse("mousePressed", 120, 110)
        self.browser.mouse("mouseMoved", 160, 110)
        self.browser.run(
            """
            for (const type of ["pointerdown", "pointermove", "pointerup"]) {
              canvas.dispatchEvent(new PointerEvent(type, { bubbles: true, pointerId: 77, clientX: 400, clientY: 200, buttons: 1 }));
            }
            """)
        self.browser.mouse("mouseReleased", 160, 110, buttons=0)
        groups = self.browser.run("return pad.toData()")
        self.assertEqual([point["x"] for point in groups[0]["points"]], [100, 140])
        self.assertEqual(len(groups), 1)

    def test_other_buttons_draw_nothing(self):
        self.new_pad()
        self.browser.command("Input.dispatchMouseEvent", type="mousePressed", x=120, y=110, button="right", buttons=2, clickCount=1)
        self.browser.command("Input.dispatchMouseEvent", type="mouseReleased", x=120, y=110, button="right", buttons=0, clickCount=1)
        self.assertTrue(self.browser.run("return pad.isEmpty()"))

    def test_a_stroke_may_leave_the_canvas(self):
        self.new_pad()
        self.browser.draw([(560, 110), (700, 110), (560, 200)])
        points = self.browser.run("return pad.toData()[0].points")
        self.assertEqual([point["x"] for point in points], [540, 680, 540])

    def test_positions_fit_a_canvas_that_CSS_scales_and_frames(self):
        self.new_pad(style="width: 600px; height: 300px; border: 8px solid; transform: scale(0.5); transform-origin: 0 0")
        self.browser.draw([(24 + 100, 14 + 50)])
        point = self.browser.run("return pad.toData()[0].points[0]")
        self.assertEqual((point["x"], point["y"]), (200, 100))

    def test_positions_and_pixels_fit_a_canvas_with_padding(self):
        frame = "padding: 20px 50px 10px 40px; border: 8px solid; transform: scale(0.5); transform-origin: 0 0"
        for size in ("width: 600px; height: 300px", "box-sizing: border-box; width: 706px; height: 346px"):
            with self.subTest(size):
                self.new_pad(style=f"{size}; {frame}")
                self.browser.draw([(20 + (8 + 40 + x) / 2, 10 + (8 + 20 + y) / 2) for x, y in ((200, 100), (590, 280))])
                points = self.browser.run("return pad.toData()[0].points.map(({ x, y }) => [x, y])")
                self.assertEqual(points, [[200, 100], [590, 280]])
                picture = self.picture()
                self.assertEqual((picture.width, picture.height), (600, 300))
                self.assertEqual(picture.pixel(200, 100)[3], 255)
                self.assertIn('viewBox="0 0 600 300"', self.browser.run("return pad.toSVG()"))

    def test_no_number_that_a_page_passes_ends_the_ink(self):
        self.new_pad()
        self.browser.run(
            """
            const odd = [NaN, Infinity, -Infinity, 1e300, -1e300, 0, undefined, null, "7"];
            for (const value of odd) {
              pad.fromData([{ points: [{ x: value, y: 1, time: 1 }, { x: 1, y: value, time: value, pressure: value }] }], { clear: false });
              pad.fromData([{ minWidth: value, maxWidth: value, dotSize: value, penColor: "x", points: [{ x: 9, y: 9 }] }], { clear: false });
              pad.undo();
              pad.redraw();
            }
            pad.toSVG();
            """)
        self.browser.draw([(120, 110), (160, 110)])
        self.assertGreater(self.picture().pixel(120, 100)[3], 0)


class Density(PageTest):
    ratio = 2

    def test_a_dense_screen_has_a_pixel_of_ink_for_each_of_its_own(self):
        self.new_pad()
        self.browser.draw(loop(300, 150, 120))
        picture = self.picture()
        self.assertEqual((picture.width, picture.height), (1200, 600))
        self.assertEqual(picture.coverage, render(self.browser.run("return pad.toData()"), 1200, 600, 2 * 96 / 25.4).coverage)

    def test_a_canvas_without_a_size_in_CSS_keeps_its_own(self):
        self.new_pad(style="")
        self.assertEqual(
            self.browser.run("return [canvas.clientWidth, canvas.clientHeight, canvas.width, canvas.height]"), [300, 150, 600, 300])
        # Neither does a frame change its size.
        for sizing in ("content-box", "border-box"):
            self.new_pad(style=f"padding: 10px; border: 5px solid; box-sizing: {sizing}")
            self.browser.run("for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame)")
            self.assertEqual(
                self.browser.run("return [canvas.clientWidth, canvas.clientHeight, canvas.width, canvas.height]"), [320, 170, 600, 300])

    def test_a_hidden_canvas_keeps_its_density(self):
        self.new_pad()
        self.browser.draw(loop(300, 150, 120))
        before = self.picture()
        self.browser.run(
            """
            canvas.hidden = true;
            pad.fromData(pad.toData());
            """)
        self.assertEqual(self.picture().bytes, before.bytes)
        self.assertIn('viewBox="0 0 600 300"', self.browser.run("return pad.toSVG()"))
        self.browser.run("canvas.hidden = false; for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame)")
        self.assertEqual(self.picture().bytes, before.bytes)

    def test_a_page_may_size_the_canvas_itself_as_with_signature_pad(self):
        self.new_pad({"resize": False}, style="width: 400px; height: 200px")
        self.browser.run(
            """
            const ratio = Math.max(window.devicePixelRatio || 1, 1);
            canvas.width = canvas.offsetWidth * ratio;
            canvas.height = canvas.offsetHeight * ratio;
            canvas.getContext("2d").scale(ratio, ratio);
            pad.clear();
            """)
        self.browser.draw(loop(200, 100, 80))
        picture = self.picture()
        self.assertEqual((picture.width, picture.height), (800, 400))
        self.assertEqual(picture.coverage, render(self.browser.run("return pad.toData()"), 800, 400, 2 * 96 / 25.4).coverage)


class Size(PageTest):
    def resize(self, width, height):
        self.browser.run(
            """
            [canvas.style.width, canvas.style.height] = given;
            // The observer runs in the next frame.
            for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
            """, f"{width}px", f"{height}px")

    def test_ink_stays_where_it_is_when_the_canvas_shrinks_and_grows(self):
        self.new_pad()
        self.browser.draw(loop(300, 150, 120))
        before = self.picture()
        self.resize(200, 150)
        small = self.picture()
        self.assertEqual((small.width, small.height), (200, 150))
        self.assertEqual(small.pixel(100, 100), before.pixel(100, 100))
        self.assertEqual(
            small.coverage, b"".join(before.coverage[y * 600 : y * 600 + 200] for y in range(150)))
        self.resize(600, 300)
        self.assertEqual(self.picture().bytes, before.bytes)

    def test_a_stroke_goes_on_while_the_canvas_changes(self):
        self.new_pad()
        self.browser.mouse("mousePressed", 120, 110)
        self.browser.mouse("mouseMoved", 160, 110)
        self.resize(500, 250)
        self.browser.mouse("mouseMoved", 200, 110)
        self.browser.mouse("mouseReleased", 200, 110, buttons=0)
        groups = self.browser.run("return pad.toData()")
        self.assertEqual(len(groups), 1)
        self.assertEqual(self.picture().coverage, render(groups, 500, 250, 96 / 25.4).coverage)

    def test_ink_of_several_colours_survives_as_well(self):
        self.new_pad()
        self.browser.draw([(120, 60), (220, 60)])
        self.browser.run("pad.penColor = 'rgb(200, 0, 0)'")
        self.browser.draw([(120, 110), (220, 110)])
        before = self.picture()
        self.resize(700, 350)
        after = self.picture()
        self.assertEqual(after.pixel(150, 50), before.pixel(150, 50))
        self.assertEqual(after.pixel(150, 100), before.pixel(150, 100))
        self.assertAlmostEqual(after.pixel(150, 100)[0], 200, delta=2)
        self.resize(600, 300)
        self.assertEqual(self.picture().bytes, before.bytes)

    def test_a_page_that_resets_the_canvas_gets_its_ink_back_by_redraw(self):
        self.new_pad()
        self.browser.draw(loop(300, 150, 120))
        before = self.picture()
        self.browser.run("canvas.width = canvas.width")
        self.assertEqual(max(self.picture().coverage), 0)
        self.browser.run("pad.redraw()")
        self.assertEqual(self.picture().bytes, before.bytes)

    def test_ink_returns_when_the_browser_restores_a_lost_canvas(self):
        self.new_pad()
        self.browser.draw(loop(300, 150, 120))
        before = self.picture()
        self.browser.run("canvas.getContext('2d').clearRect(0, 0, 600, 300)")
        self.assertEqual(max(self.picture().coverage), 0)
        self.browser.run("canvas.dispatchEvent(new Event('contextrestored'))")
        self.assertEqual(self.picture().bytes, before.bytes)

    def test_a_result_has_the_ink_that_a_lost_canvas_has_not(self):
        self.new_pad()
        self.browser.draw(loop(300, 150, 120))
        before = self.picture()
        self.browser.run("canvas.getContext('2d').clearRect(0, 0, 600, 300)")
        result = self.browser.run("return URL.createObjectURL((await pad.result()).png)")
        self.assertEqual(self.picture(result).bytes, before.bytes)

    def test_a_result_is_what_the_person_has_seen_where_the_page_has_just_narrowed_the_canvas(self):
        for options in ({"resize": False}, {"resize": True}):
            with self.subTest(str(options)):
                self.new_pad(options)
                self.browser.run("canvas.width = 600; canvas.height = 300; pad.redraw()")
                self.browser.draw([(120, 110), (520, 110)])
                before = self.picture()
                result = self.browser.run(
                    "canvas.style.width = '300px'; return URL.createObjectURL((await pad.result()).png)")
                self.assertEqual(self.picture(result).bytes, before.bytes)

    def test_an_impossible_size_is_refused_with_its_reason(self):
        self.new_pad({"resize": False}, style="")
        message = self.browser.run(
            "canvas.width = 30000; canvas.height = 30000; try { pad.redraw() } catch (error) { return error.message }")
        self.assertIn("30000 × 30000 pixels was refused", message)


class Interface(PageTest):
    """What signature_pad's documentation promises."""

    FACE = [
        {"penColor": "black", "dotSize": 0, "minWidth": 1, "maxWidth": 2, "velocityFilterWeight": 0.7, "compositeOperation": "source-over",
         "points": [{"time": 1e12 + 10 * i, "x": 50 + 3 * i, "y": 60 + i % 7, "pressure": 0} for i in range(30)]},
        {"penColor": "blue", "dotSize": 4, "minWidth": 1, "maxWidth": 2, "velocityFilterWeight": 0.7, "compositeOperation": "source-over",
         "points": [{"time": 1e12 + 1000, "x": 200, "y": 100, "pressure": 0}]},
    ]

    def test_options_are_properties(self):
        self.new_pad({"minWidth": 2, "maxWidth": 4, "penColor": "red", "throttle": 0, "minDistance": 0, "dotSize": 3,
                      "velocityFilterWeight": 0.5, "backgroundColor": "white", "compositeOperation": "destination-out"})
        self.assertEqual(
            self.browser.run(
                """return [pad.minWidth, pad.maxWidth, pad.penColor, pad.throttle, pad.minDistance, pad.dotSize,
                  pad.velocityFilterWeight, pad.backgroundColor, pad.compositeOperation]"""),
            [2, 4, "red", 0, 0, 3, 0.5, "white", "destination-out"])

    def test_defaults_are_signature_pads_but_the_widths_are_the_pads(self):
        self.new_pad()
        values = self.browser.run(
            """return [pad.penColor, pad.throttle, pad.minDistance, pad.dotSize, pad.velocityFilterWeight, pad.backgroundColor,
              pad.compositeOperation, pad.minWidth, pad.maxWidth]""")
        self.assertEqual(values[:-2], ["black", 16, 5, 0, 0.7, "rgba(0,0,0,0)", "source-over"])
        # 3 pt and 8 pt of a screen with 163 points to the inch, as radii.
        self.assertAlmostEqual(values[-2], 3 / 163 * 96 / 2, places=5)
        self.assertAlmostEqual(values[-1], 8 / 163 * 96 / 2, places=5)

    def test_data_goes_in_and_comes_out_unchanged(self):
        self.new_pad()
        self.assertTrue(self.browser.run("return pad.isEmpty()"))
        self.browser.run("pad.fromData(given[0])", self.FACE)
        self.assertEqual(self.browser.run("return pad.toData()"), self.FACE)
        self.assertFalse(self.browser.run("return pad.isEmpty()"))
        picture = self.picture()
        # A dot of a radius of 4.
        self.assertEqual(picture.pixel(200, 100), (0, 0, 255, 255))
        self.assertEqual(picture.pixel(201, 101), (0, 0, 255, 255))
        self.assertEqual(picture.pixel(205, 100)[3], 0)
        self.browser.run("pad.fromData(pad.toData())")
        self.assertEqual(self.picture().bytes, picture.bytes)
        self.browser.run("pad.fromData(given[0].slice(0, 1), { clear: false })", self.FACE)
        self.assertEqual(len(self.browser.run("return pad.toData()")), 3)

    def test_clear_and_isEmpty(self):
        self.new_pad({"backgroundColor": "rgb(255, 255, 255)"})
        self.browser.draw([(120, 110), (220, 110)])
        self.browser.run("pad.clear()")
        self.assertTrue(self.browser.run("return pad.isEmpty()"))
        self.assertEqual(self.browser.run("return pad.toData()"), [])
        self.assertEqual(set(self.picture().bytes), {255})

    def test_a_picture_on_white_is_what_paraph_render_writes(self):
        self.new_pad({"backgroundColor": "rgb(255, 255, 255)"})
        self.browser.draw(loop(300, 150, 120))
        picture = Picture(self.browser.run("return pad.toDataURL()"))
        expected = render(self.browser.run("return pad.toData()"), 600, 300, 96 / 25.4)
        for channel in range(3):
            self.assertEqual(picture.channel(channel), expected.channel(0))

    def test_pictures_have_the_type_that_is_asked_for(self):
        self.new_pad({"backgroundColor": "white"})
        self.browser.draw([(120, 110), (220, 110)])
        for kind in ("image/png", "image/jpeg"):
            self.assertTrue(self.browser.run("return pad.toDataURL(given[0])", kind).startswith(f"data:{kind};base64,"))
        large, small = (len(self.browser.run("return pad.toDataURL('image/jpeg', given[0])", q)) for q in (1, 0.1))
        self.assertLess(small, large)
        url = self.browser.run("return pad.toDataURL('image/svg+xml')")
        self.assertEqual(base64.b64decode(url.partition(",")[2]).decode(), self.browser.run("return pad.toSVG()"))

    def test_an_SVG_draws_the_same_ink_in_CSS_pixels(self):
        self.new_pad({"backgroundColor": "white"})
        # A stroke of real events has another speed, width and number of edges in each run.
        strokes = ((loop(300, 150, 120), "black"), ([(120, 260), (220, 270), (320, 260)], "rgb(0, 0, 200)"))
        self.browser.run("pad.fromData(given[0])", [
            {"points": [{"x": x, "y": y, "pressure": 0, "time": 16 * i} for i, (x, y) in enumerate(places)], "penColor": colour}
            for places, colour in strokes])
        drawn = self.picture()
        self.assertGreater(sum(value < 64 for value in drawn.channel(0)), 200, "there is ink")
        svg = self.browser.run("return pad.toSVG({ includeBackgroundColor: true })")
        self.assertIn('viewBox="0 0 600 300"', svg)
        data = self.browser.run(
            """
            const image = new Image();
            image.src = `data:image/svg+xml,${encodeURIComponent(given[0])}`;
            await image.decode();
            const copy = Object.assign(document.createElement("canvas"), { width: 600, height: 300 });
            copy.getContext("2d").drawImage(image, 0, 0, 600, 300);
            return copy.toDataURL();
            """, svg)
        painted = self.picture(data)
        different = sum(abs(a - b) > 64 for a, b in zip(drawn.bytes, painted.bytes))
        self.assertLess(different, 40, "another rasteriser differs at edges only")

    def test_strokes_tell_of_themselves(self):
        self.new_pad()
        self.browser.draw([(120, 110), (160, 110)])
        self.assertEqual(
            self.browser.run("return events"),
            [["beginStroke", "pointerdown"], ["beforeUpdateStroke", "pointerdown"], ["afterUpdateStroke", "pointerdown"],
             ["beforeUpdateStroke", "pointermove"], ["afterUpdateStroke", "pointermove"], ["endStroke", "pointerup"]])

    def test_a_stroke_that_is_ended_by_a_call_tells_of_its_last_event(self):
        for call in ("pad.undo()", "pad.off()"):
            with self.subTest(call):
                self.new_pad()
                self.browser.mouse("mousePressed", 120, 110)
                self.browser.mouse("mouseMoved", 160, 110)
                self.browser.run(call)
                self.browser.mouse("mouseReleased", 160, 110, buttons=0)
                self.assertEqual(self.browser.run("return events.at(-1)"), ["endStroke", "pointermove"])

    def test_a_result_is_of_one_state(self):
        self.new_pad()
        self.browser.draw([(120, 60), (220, 60)])
        paper = self.browser.run("return pad.toDataURL()")
        self.browser.run("pad.clear(); await pad.fromDataURL(given[0])", paper)
        self.browser.draw([(120, 110), (220, 110)])
        drawn = self.picture()
        png, svg, strokes = self.browser.run(
            """
            const given = pad.result();
            pad.clear();
            const { png, svg, strokes } = await given;
            const reader = new FileReader();
            await new Promise((resolve) => { reader.onload = resolve; reader.readAsDataURL(png); });
            const image = new Image();
            image.src = `data:image/svg+xml,${encodeURIComponent(svg)}`;
            await image.decode();
            const copy = Object.assign(document.createElement("canvas"), { width: 600, height: 300 });
            copy.getContext("2d").drawImage(image, 0, 0, 600, 300);
            return [reader.result, copy.toDataURL(), strokes.length];
            """)
        self.assertEqual(strokes, 1)
        self.assertEqual(self.picture(png).bytes, drawn.bytes)
        painted = self.picture(svg)
        for place in ((150, 50), (150, 100)):
            self.assertAlmostEqual(painted.pixel(*place)[3], drawn.pixel(*place)[3], delta=64)
        self.assertEqual(painted.pixel(400, 200)[3], 0)

    def test_a_result_needs_no_exception_from_trusted_types(self):
        self.server = Server(policy=POLICY + "; require-trusted-types-for 'script'")
        self.addCleanup(self.server.close)
        self.new_pad()
        self.browser.draw([(120, 110), (220, 110)])
        self.assertIn("<path ", self.browser.run("return (await pad.result()).svg"))

    def test_a_stroke_can_be_refused(self):
        self.new_pad()
        self.browser.run("pad.addEventListener('beginStroke', (event) => event.preventDefault(), { once: true })")
        self.browser.draw([(120, 110), (160, 110)])
        self.assertTrue(self.browser.run("return pad.isEmpty()"))
        self.browser.draw([(120, 110), (160, 110)])
        self.assertFalse(self.browser.run("return pad.isEmpty()"))

    def test_off_and_on(self):
        self.new_pad()
        self.assertEqual(self.browser.run("return canvas.style.touchAction"), "none")
        self.browser.run("pad.off()")
        self.assertEqual(self.browser.run("return [canvas.style.touchAction, canvas.style.userSelect]"), ["auto", "auto"])
        self.browser.draw([(120, 110), (160, 110)])
        self.assertTrue(self.browser.run("return pad.isEmpty()"))
        self.browser.run("pad.on(); pad.on()")
        self.browser.draw([(120, 110), (160, 110)])
        self.assertEqual(self.browser.run("return pad.toData().length"), 1)

    def test_an_eraser_removes_ink(self):
        self.new_pad()
        self.browser.draw([(120, 110), (220, 110)])
        self.browser.run("pad.compositeOperation = 'destination-out'; pad.minWidth = pad.maxWidth = 10")
        self.browser.draw([(170, 90), (170, 130)])
        picture = self.picture()
        self.assertEqual(picture.pixel(150, 100)[3], 0)
        self.assertGreater(picture.pixel(110, 100)[3], 200)

    def test_a_stroke_begins_again_if_the_page_clears_meanwhile(self):
        self.new_pad()
        self.browser.mouse("mousePressed", 120, 110)
        self.browser.mouse("mouseMoved", 160, 110)
        self.browser.run("pad.clear()")
        self.browser.mouse("mouseMoved", 260, 110)
        self.browser.mouse("mouseMoved", 300, 110)
        self.browser.mouse("mouseReleased", 300, 110, buttons=0)
        groups = self.browser.run("return pad.toData()")
        self.assertEqual([[point["x"] for point in group["points"]] for group in groups], [[240, 280]])
        self.assertEqual(self.picture().coverage, render(groups, 600, 300, 96 / 25.4).coverage)


class EarlierInk(PageTest):
    def test_a_picture_of_the_pad_comes_back_to_the_pixel(self):
        for colour in ("black", "rgb(20, 40, 160)"):
            with self.subTest(colour):
                self.new_pad({"penColor": colour})
                self.browser.draw(loop(300, 150, 120))
                before = self.browser.run("return pad.toDataURL()")
                self.browser.run("pad.clear(); pad.penColor = 'green'; await pad.fromDataURL(given[0])", before)
                self.assertEqual(self.picture().coverage, self.picture(before).coverage)
                self.assertEqual(self.picture().pixel(*self.inked(before)), self.picture(before).pixel(*self.inked(before)))
                self.assertFalse(self.browser.run("return pad.isEmpty()"))
                self.assertEqual(self.browser.run("return pad.toData()"), [])

    def inked(self, data):
        picture = self.picture(data)
        place = picture.coverage.index(255)
        return place % picture.width, place // picture.width

    def test_strokes_are_added_undone_and_redrawn_over_it(self):
        self.new_pad()
        self.browser.draw(loop(300, 150, 120))
        before = self.browser.run("return pad.toDataURL()")
        self.browser.run("pad.clear(); await pad.fromDataURL(given[0])", before)
        self.browser.draw([(120, 280), (520, 280)])
        added = self.picture()
        self.assertNotEqual(added.bytes, self.picture(before).bytes)
        self.browser.run("pad.redraw()")
        self.assertEqual(self.picture().bytes, added.bytes)
        self.assertTrue(self.browser.run("return pad.undo()"))
        self.assertEqual(self.picture().bytes, self.picture(before).bytes)
        self.assertFalse(self.browser.run("return pad.undo()"))

    def test_an_image_is_placed_and_scaled(self):
        self.new_pad()
        self.browser.run(
            """
            const image = Object.assign(document.createElement("canvas"), { width: 10, height: 10 });
            image.getContext("2d").fillRect(0, 0, 10, 10);
            image.getContext("2d").clearRect(0, 0, 1, 1);
            await pad.fromDataURL(image.toDataURL(), { width: 100, height: 50, xOffset: 200, yOffset: 100 });
            """)
        picture = self.picture()
        self.assertEqual(picture.pixel(250, 125), (0, 0, 0, 255))
        for x, y in ((199, 125), (301, 125), (250, 99), (250, 151), (203, 102)):
            self.assertEqual(picture.pixel(x, y)[3], 0, (x, y))

    def test_an_image_of_several_colours_keeps_them_under_the_ink(self):
        self.new_pad()
        self.browser.run(
            """
            const image = Object.assign(document.createElement("canvas"), { width: 20, height: 10 });
            const context = image.getContext("2d");
            context.fillStyle = "rgb(255, 0, 0)"; context.fillRect(0, 0, 10, 10);
            context.fillStyle = "rgb(0, 0, 255)"; context.fillRect(10, 0, 10, 10);
            await pad.fromDataURL(image.toDataURL());
            """)
        self.browser.draw([(60, 110), (160, 110)])
        picture = self.picture()
        self.assertEqual(picture.pixel(100, 200), (255, 0, 0, 255))
        self.assertEqual(picture.pixel(500, 200), (0, 0, 255, 255))
        self.assertLess(picture.pixel(100, 100)[0], 50)
        self.browser.run("pad.undo()")
        self.assertEqual(self.picture().pixel(100, 100), (255, 0, 0, 255))

    def painted(self, ground, *calls):
        """What a pad of this colour shows of an image of 60 × 30 that these calls paint, and the image on the colour."""
        self.new_pad({"backgroundColor": ground}, style="width: 60px; height: 30px")
        image = self.browser.run(
            """
            const image = Object.assign(document.createElement("canvas"), { width: 60, height: 30 });
            const context = image.getContext("2d");
            const fill = (colour, ...rect) => { context.fillStyle = colour; context.fillRect(...rect); };
            %s;
            await pad.fromDataURL(image.toDataURL());
            context.globalCompositeOperation = "destination-over";
            fill(given[0], 0, 0, 60, 30);
            return image.toDataURL();
            """ % "; ".join(calls), ground)
        return self.picture(), self.picture(image)

    def test_images_look_as_they_are(self):
        for name, calls in {
            "white on black": ("fill('black', 0, 0, 60, 30)", "fill('white', 20, 10, 20, 5)"),
            "grey paper": ("fill('#eee', 0, 0, 60, 30)", "fill('black', 20, 10, 20, 5)"),
            "a photograph": ("for (let x = 0; x < 60; x++) fill(`rgb(${4 * x}, ${4 * x}, ${4 * x})`, x, 0, 1, 30)",),
            "white corners only": ("fill('white', 0, 0, 60, 30)", "fill('#777', 1, 1, 58, 28)"),
            "faint red beside black": ("fill('black', 5, 5, 10, 10)", "fill('rgba(255, 0, 0, 0.5)', 30, 5, 10, 10)"),
            "fainter red beside black": ("fill('black', 5, 5, 10, 10)", "fill('rgba(255, 0, 0, 0.2)', 30, 5, 10, 10)"),
            "black on white": ("fill('white', 0, 0, 60, 30)", "fill('black', 20, 10, 20, 5)", "fill('#999', 20, 20, 20, 5)"),
            "faint blue": ("fill('rgba(0, 0, 255, 0.4)', 30, 5, 10, 10)",),
        }.items():
            with self.subTest(name):
                # On white, paper that has become nothing would not be seen.
                ground = "white" if "on white" in name else "rgb(150, 200, 250)"
                shown, image = self.painted(ground, *calls)
                self.assertLessEqual(max(abs(a - b) for a, b in zip(shown.bytes, image.bytes)), 2)

    def test_paper_stays_as_it_is_over_round_trips(self):
        self.new_pad({"backgroundColor": "#eeeeee"})
        self.browser.draw(loop(300, 150, 120))
        before = self.picture()
        for _ in range(2):
            self.browser.run("const url = pad.toDataURL(); pad.clear(); await pad.fromDataURL(url)")
        self.assertEqual(self.picture().bytes, before.bytes)

    def test_an_image_is_placed_between_its_own_pixels(self):
        self.new_pad()
        self.browser.run(
            """
            const image = Object.assign(document.createElement("canvas"), { width: 10, height: 10 });
            image.getContext("2d").fillRect(0, 0, 10, 10);
            image.getContext("2d").clearRect(9, 9, 1, 1);
            await pad.fromDataURL(image.toDataURL(), { width: 100, height: 100, xOffset: 203, yOffset: 104 });
            """)
        picture = self.picture()
        for x, y in ((205, 150), (299, 150), (250, 107), (250, 200)):
            self.assertEqual(picture.pixel(x, y), (0, 0, 0, 255), (x, y))
        for x, y in ((201, 150), (305, 150), (250, 102), (250, 206)):
            self.assertEqual(picture.pixel(x, y)[3], 0, (x, y))

    def test_an_image_that_was_replaced_returns_if_the_other_fails(self):
        self.new_pad()
        self.browser.draw([(120, 110), (220, 110)])
        before = self.picture()
        self.browser.run(
            """
            const url = pad.toDataURL();
            pad.clear();
            const loads = [pad.fromDataURL(url), pad.fromDataURL("data:,")];
            await Promise.allSettled(loads);
            """)
        self.assertEqual(self.picture().bytes, before.bytes)
        self.browser.run("pad.clear(); await Promise.allSettled([pad.fromDataURL('data:,'), pad.fromDataURL('data:,1')])")
        self.assertTrue(self.browser.run("return pad.isEmpty()"))

    def test_what_is_no_image_is_refused_and_changes_nothing(self):
        self.new_pad()
        self.browser.draw([(120, 110), (220, 110)])
        before = self.picture()
        message = self.browser.run("try { await pad.fromDataURL('data:image/png;base64,AAAA') } catch (error) { return error.message }")
        self.assertIn("not decoded", message)
        self.assertEqual(self.picture().bytes, before.bytes)
        self.browser.run("const url = pad.toDataURL(); pad.clear(); await pad.fromDataURL(url); await pad.fromDataURL('data:,').catch(() => {}); pad.redraw()")
        self.assertEqual(self.picture().bytes, before.bytes)

    def test_an_image_that_is_decoded_after_clear_is_not_shown(self):
        self.new_pad()
        self.browser.draw([(120, 110), (220, 110)])
        self.browser.run("const loading = pad.fromDataURL(pad.toDataURL()); pad.clear(); await loading")
        self.assertTrue(self.browser.run("return pad.isEmpty()"))
        self.assertEqual(max(self.picture().coverage), 0)


class Undo(PageTest):
    def test_undo_removes_stroke_after_stroke(self):
        self.new_pad()
        pictures = [self.picture()]
        for y in (60, 110, 160):
            self.browser.draw([(120, y), (220, y + 5), (320, y)])
            pictures.append(self.picture())
        for expected in reversed(pictures[:-1]):
            self.assertTrue(self.browser.run("return pad.undo()"))
            self.assertEqual(self.picture().bytes, expected.bytes)
        self.assertFalse(self.browser.run("return pad.undo()"))

    def test_undo_passes_a_change_of_the_pen(self):
        self.new_pad()
        pictures = [self.picture()]
        for y, colour in ((60, "red"), (110, "green"), (160, "green"), (160, "rgba(0, 0, 255, 0.5)")):
            self.browser.run("pad.penColor = given[0]", colour)
            self.browser.draw([(120, y), (220, y + 5), (320, y)])
            pictures.append(self.picture())
        for expected in reversed(pictures[:-1]):
            self.assertTrue(self.browser.run("return pad.undo()"))
            self.assertEqual(self.picture().bytes, expected.bytes)


class Keyboard(PageTest):
    def setUp(self):
        self.new_pad()
        self.browser.run("canvas.focus()")

    def test_a_stroke_is_drawn_with_keys_alone(self):
        self.browser.key(" ", 32, " ")
        for _ in range(5):
            self.browser.key("ArrowRight", 39)
        self.browser.key("ArrowDown", 40, modifiers=8)
        self.browser.key("Enter", 13, "\r")
        self.browser.key("ArrowRight", 39)
        groups = self.browser.run("return pad.toData()")
        self.assertEqual(
            [[(point["x"], point["y"]) for point in group["points"]] for group in groups],
            [[(300, 150), (310, 150), (320, 150), (330, 150), (340, 150), (350, 150), (350, 152)]])
        # The cross is not part of the picture.
        self.assertEqual(self.picture().coverage, render(groups, 600, 300, 96 / 25.4).coverage)
        self.assertEqual(self.browser.run("return events.at(-1)"), ["endStroke", "keydown"])

    def test_a_pointer_ends_the_stroke_of_the_keyboard_and_draws(self):
        draw = {"mouse": lambda: self.browser.draw([(120, 60), (220, 60)]), "finger": lambda: self.browser.touch([(120, 60), (220, 60)])}
        for name, stroke in draw.items():
            with self.subTest(name):
                self.browser.run("pad.clear(); canvas.focus()")
                self.browser.key(" ", 32, " ")
                self.browser.key("ArrowRight", 39)
                stroke()
                groups = self.browser.run("return pad.toData()")
                self.assertEqual(
                    [[(point["x"], point["y"]) for point in group["points"]] for group in groups],
                    [[(300, 150), (310, 150)], [(100, 50), (200, 50)]])
                self.assertEqual(self.picture().coverage, render(groups, 600, 300, 96 / 25.4).coverage)
                self.assertEqual(self.browser.run("return canvas.querySelector('[role=status]').textContent"), "Pen up")
                self.assertEqual(
                    self.browser.run("return events.splice(0).filter(([name]) => /^(begin|end)/.test(name)).map(([name]) => name)"),
                    ["beginStroke", "endStroke"] * 2)

    def test_a_cross_shows_the_pen_until_the_pad_loses_the_focus(self):
        self.browser.key("ArrowRight", 39)
        direct = "return canvas.toDataURL()"
        self.assertEqual(self.picture(self.browser.run(direct)).pixel(310, 145)[3], 255)
        self.assertEqual(max(self.picture().coverage), 0)
        self.browser.run("canvas.blur()")
        self.assertEqual(max(self.picture(self.browser.run(direct)).coverage), 0)

    def test_the_pen_stays_on_the_canvas(self):
        self.browser.run("canvas.style.width = '40px'; for (let i = 0; i < 3; i++) await new Promise(requestAnimationFrame)")
        self.browser.key(" ", 32, " ")
        for _ in range(6):
            self.browser.key("ArrowLeft", 37)
        self.assertEqual(self.browser.run("return pad.toData()[0].points.at(-1).x"), 0)

    def test_keys_undo_and_clear(self):
        for y in (60, 110):
            self.browser.draw([(120, y), (220, y)])
        self.browser.key("z", 90, modifiers=2)
        self.assertEqual(self.browser.run("return pad.toData().length"), 1)
        before = self.picture()
        self.browser.key("Delete", 46)
        self.assertTrue(self.browser.run("return pad.isEmpty()"))
        self.browser.key("Delete", 46)
        self.browser.key("z", 90, modifiers=2)
        self.assertEqual(self.picture().bytes, before.bytes)
        self.browser.draw([(120, 110), (220, 110)])
        self.browser.key("Backspace", 8)
        self.assertEqual(self.browser.run("return pad.toData().length"), 1)
        self.assertEqual(self.picture().bytes, before.bytes)
        self.browser.key("Delete", 46)
        self.browser.run("pad.clear()")
        self.browser.key("z", 90, modifiers=2)
        self.assertTrue(self.browser.run("return pad.isEmpty()"), "what the page removes stays removed")

    def test_other_keys_are_left_to_the_page(self):
        self.browser.run("window.seen = []; document.addEventListener('keydown', (event) => seen.push([event.key, event.defaultPrevented]))")
        for name, code in (("Tab", 9), ("a", 65), ("ArrowUp", 38)):
            self.browser.key(name, code)
            self.browser.run("canvas.focus()")
        self.assertEqual(self.browser.run("return seen"), [["Tab", False], ["a", False], ["ArrowUp", True]])

    def test_a_screen_reader_is_told_what_it_is_and_what_happens(self):
        nodes = self.browser.command("Accessibility.getFullAXTree")["nodes"]
        pad = next(node for node in nodes if node.get("role", {}).get("value") == "application")
        self.assertEqual(pad["name"]["value"], "Signature pad")
        self.assertIn("arrow keys", pad["description"]["value"])
        self.browser.key(" ", 32, " ")
        self.assertEqual(self.browser.run("return canvas.querySelector('[role=status]').textContent"), "Pen down")
        self.browser.key(" ", 32, " ")
        self.assertEqual(self.browser.run("return canvas.querySelector('[role=status]').textContent"), "Pen up")

    def test_a_screen_reader_hears_each_of_equal_messages(self):
        for y in (60, 110):
            self.browser.draw([(120, y), (220, y)])
        self.browser.run(
            """
            const status = canvas.querySelector("[role=status]");
            window.heard = [];
            new MutationObserver(() => heard.push(status.textContent.trim())).observe(status, { childList: true });
            """)
        for _ in range(2):
            self.browser.key("Backspace", 8)
        self.assertEqual(self.browser.run("return heard"), ["Last stroke removed"] * 2)

    def test_a_pad_that_is_off_is_an_ordinary_canvas(self):
        self.browser.run("pad.off()")
        self.assertEqual(
            self.browser.run("return [canvas.childElementCount, canvas.getAttributeNames().sort()]"), [0, ["height", "style", "width"]])
        self.browser.run("pad.on()")
        self.assertEqual(self.browser.run("return canvas.getAttribute('role')"), "application")

    def test_labels_of_the_page_are_kept(self):
        self.new_pad({"labels": {"pad": "Unterschriftenfeld"}})
        self.assertEqual(self.browser.run("return canvas.getAttribute('aria-label')"), "Unterschriftenfeld")
        self.browser.run("canvas.setAttribute('aria-label', 'Here'); new Paraph.Pad(canvas)")
        self.assertEqual(self.browser.run("return canvas.getAttribute('aria-label')"), "Here")


if __name__ == "__main__":
    unittest.main()
