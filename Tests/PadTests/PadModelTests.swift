import AllocationCount
import Configuration
import Control
import Ink
import ScreenFixtures
import Signature
import SyntheticHand
import Testing
import Touch

@testable import Pad
@testable import Raster
@testable import Screen

@Suite struct PadModelTests {
  static let scale = Scale(x: 5, y: 5)
  static let layout = Layout(width: 154, height: 86)

  func glass() -> PadModel {
    PadModel(
      width: 770, height: 430, scale: Self.scale, model: .uberSignature, theme: Theme(),
      minimumLength: 5)
  }

  func sign(_ glass: inout PadModel) -> FinishedSignature? {
    for stroke in SyntheticHand().paraph(at: Point(30, 50), height: 9) {
      for (index, sample) in stroke.enumerated() {
        _ = index == 0 ? glass.down(sample) : glass.move(sample)
      }
      _ = glass.up(at: stroke[stroke.count - 1].time)
    }
    return press(Self.layout.done.centre, &glass)
  }

  func press(_ point: Point, _ glass: inout PadModel) -> FinishedSignature? {
    _ = glass.down(Sample(time: 9, position: point))
    return glass.up(at: 10)
  }

  @Test func `Done that a client presses ends the stroke and saves it`() throws {
    var glass = glass()
    let stroke = SyntheticHand().paraph(at: Point(30, 50), height: 9)[0]
    for (index, sample) in stroke.enumerated() {
      _ = index == 0 ? glass.down(sample) : glass.move(sample)
    }
    let saved = glass.press(.done, for: 1, at: 0)
    let finished = try #require(saved)
    #expect(finished.strokes == [Stroke(stroke)])
    let isDrawing = glass.isDrawing
    #expect(!isDrawing)
    let again = glass.press(.done, for: 1, at: 0)
    #expect(again == nil)
  }

  @Test func `a question on another panel has no buttons until its words are typeset`() {
    var parts = LayoutParts(message: .none)
    parts.choices = ChoiceGrid(count: 2, columns: 2)
    let layout = Layout(width: 154, height: 86, parts: parts)
    let question = TypesetRequest(
      request: PadRequest(.question, number: 1), scene: Scene(number: 1, layout: layout))
    var first = glass()
    first.open(question, at: 0)
    var second = glass()
    _ = second.restore(first.snapshot, at: 1)
    var answers: [Int] = []
    _ = press(layout.area(of: .choice(1)).centre, &second)
    second.report { if case .answered(_, let choice) = $0 { answers.append(choice) } }
    #expect(answers.isEmpty)
    second.setScenes(Scene(layout: Self.layout), question)
    _ = press(layout.area(of: .choice(1)).centre, &second)
    second.report { if case .answered(_, let choice) = $0 { answers.append(choice) } }
    #expect(answers == [1])
  }

  @Test func `another panel invites until it has a picture of its own`() {
    let picture = GroundPicture(GroundPicture.Painting(width: 770, height: 430, ground: 0))
    let minute: Int64 = 60_000_000_000
    var first = glass()
    first.setSlide(picture)
    first.time(minute)
    var second = glass()
    _ = second.restore(first.snapshot, at: minute)
    var pages = [first.session.viewState.page, second.session.viewState.page]
    second.setSlide(picture)
    second.time(minute)
    pages.append(second.session.viewState.page)
    #expect(pages == [.idle, .invitation, .idle])
  }

  @Test func `a picture fills the glass at rest, and nothing of it stays during a request`() throws
  {
    var rules = SessionRules()
    rules.invites = false
    func rested() -> PadModel {
      var model = PadModel(
        width: 770, height: 430, scale: Self.scale, model: .uberSignature, theme: Theme(),
        minimumLength: 5, rules: rules)
      _ = model.compose()
      return model
    }
    func picture(_ red: UInt8) -> GroundPicture {
      var painting = GroundPicture.Painting(width: 770, height: 430, ground: 0xFFFFFF)
      let row = [SIMD4<Float>](repeating: SIMD4(Float(red), 0, 0, 1), count: 770)
      for y in 0..<430 { painting.composite(row.span, x: 0, y: y) }
      return GroundPicture(painting)
    }
    let scene = Scene(number: 1, layout: Self.layout)
    let request = TypesetRequest(request: PadRequest(.signature, number: 1), scene: scene)
    var model = rested()
    var plain = rested()
    model.setSlide(picture(200))
    _ = model.compose()
    #expect(Set(model.canvas.pixels) == [0xFFC8_0000])
    // The next one replaces it in the same frame: all of the glass changes at once.
    model.setSlide(picture(100))
    let damage = model.compose()
    #expect(damage.count == 1 && damage[0] == PixelRect(width: 770, height: 430))
    #expect(Set(model.canvas.pixels) == [0xFF64_0000])
    model.open(request, at: 0)
    plain.open(request, at: 0)
    _ = (model.compose(), plain.compose())
    #expect(model.canvas.pixels == plain.canvas.pixels)
    // A picture that comes meanwhile waits for the end of the request.
    model.setSlide(picture(50))
    let meanwhile = model.compose()
    #expect(meanwhile.isEmpty)
    model.withdraw(1, at: 1)
    model.time(10_000_000_000)
    _ = model.compose()
    #expect(Set(model.canvas.pixels) == [0xFF32_0000])
    model.setSlide(nil)
    plain.withdraw(1, at: 1)
    plain.time(10_000_000_000)
    _ = (model.compose(), plain.compose())
    #expect(model.canvas.pixels == plain.canvas.pixels)
  }

  @Test func `Clear that a client presses wipes the ink`() {
    var glass = glass()
    _ = glass.down(Sample(time: 1, position: Point(30, 50)))
    let result = glass.press(.clear, for: 1, at: 2)
    let hasInk = glass.hasInk
    #expect(result == nil && !hasInk)
  }

  @Test func `a client that presses learns after the state whether that had an effect`() {
    var glass = glass()
    func told() -> [ControlEvent] {
      var events: [ControlEvent] = []
      glass.report { events.append($0) }
      return events
    }
    _ = glass.down(Sample(time: 1, position: Point(30, 50)))
    _ = told()
    // A dot is too short.
    let short = glass.press(.done, for: 1, at: 2)
    #expect(short == nil && told().last == .pressed(1, false))
    _ = glass.up(at: 2)
    _ = glass.press(.clear, for: 2, at: 3)
    #expect(told() == [.pressed(2, false)])
    _ = glass.down(Sample(time: 4, position: Point(30, 50)))
    _ = told()
    _ = glass.press(.clear, for: 2, at: 5)
    #expect(told() == [.state(.invited, request: nil, deadline: nil), .pressed(2, true)])
    _ = glass.up(at: 5)
    let stroke = SyntheticHand().paraph(at: Point(30, 50), height: 9)[0]
    for (index, sample) in stroke.enumerated() {
      _ = index == 0 ? glass.down(sample) : glass.move(sample)
    }
    _ = told()
    let finished = glass.press(.done, for: 3, at: 0)
    #expect(finished != nil)
    #expect(told() == [.state(.confirming, request: nil, deadline: nil), .pressed(3, true)])
  }

  /// Pages of ink, of a glass of 4620 × 2580 pixels.
  static func held(_ glass: borrowing PadModel) -> Int {
    held_pages(glass.drawing.planes.tiles.bytes, 289 * 81 * InkTiles.tileSize)
      + held_pages(glass.canvas.inked.tile(0), 145 * 81 * 4096)
  }

  @Test func `the first composition shows the whole pad`() {
    var glass = glass()
    let region = glass.compose()
    #expect(region.bounds == PixelRect(width: 770, height: 430))
    let again = glass.compose()
    #expect(again.isEmpty)
    let done = glass.canvas[
      Int(Self.layout.done.centre.x * 5), Int(Self.layout.done.origin.y * 5) + 3]
    #expect(done != 0xFFFF_FFFF)
  }

  @Test func `Done passes on the ink that was shown, also after a change of the panel`() {
    let scene = Scene(number: 7, layout: Self.layout, title: "Box 7", prompt: "Sign for it")
    var first = glass()
    var request = PadRequest(.signature, number: 7)
    request.reference = "4711"
    first.open(TypesetRequest(request: request, scene: scene), at: 0)
    var second = glass()
    _ = second.restore(first.snapshot, at: 1)
    let finished = sign(&second)
    #expect(finished?.reference == "4711")
    #expect(finished?.shown == ShownContent(title: "Box 7", prompt: "Sign for it"))
    var alone = glass()
    alone.setScenes(Scene(layout: Self.layout, prompt: "Please sign here"))
    #expect(sign(&alone)?.shown == ShownContent(prompt: "Please sign here"))
  }

  @Test func `other notes wait for the end of a stroke, and do not end it`() throws {
    var glass = glass()
    let builder = try TestWords.builder("en", Point(154, 86))
    glass.setScenes(builder.resting())
    _ = glass.down(Sample(time: 0, position: Point(40, 30)))
    _ = glass.move(Sample(time: 1, position: Point(60, 30)))
    _ = glass.compose()
    glass.setResting(builder.resting(notes: ["192.168.1.20"]))
    let during = glass.compose()
    #expect(during.isEmpty)
    _ = glass.move(Sample(time: 2, position: Point(80, 40)))
    _ = glass.up(at: 3)
    let after = glass.compose()
    #expect(after.bounds == PixelRect(width: 770, height: 430))
    let strokes = press(Self.layout.done.centre, &glass)?.strokes ?? []
    #expect(strokes.count == 1)
  }

  @Test func `Done passes on the strokes as they were reported`() throws {
    var glass = glass()
    let finished = sign(&glass)
    #expect(
      finished?.strokes
        == SyntheticHand().paraph(at: Point(30, 50), height: 9).map { Stroke($0) })
    #expect(finished?.done == 10)
  }

  @Test func `two fingers that draw at once make two strokes`() {
    var glass = glass()
    func put(_ phase: GlassContact.Phase, _ contact: Int32, _ time: Int64, _ x: Float) {
      let sample = Sample(time: time, position: Point(x, contact == 0 ? 20 : 40))
      _ = glass.take(GlassContact(phase, sample, contact: contact))
    }
    for contact in 0..<2 as Range<Int32> { put(.down, contact, 0, 20) }
    for step in 1..<50 {
      for contact in 0..<2 as Range<Int32> { put(.move, contact, Int64(step), 20 + Float(step)) }
    }
    for contact in 0..<2 as Range<Int32> { put(.up, contact, 50, 69) }
    let strokes = press(Self.layout.done.centre, &glass)?.strokes ?? []
    #expect(strokes.count == 2)
    for (stroke, y) in zip(strokes, [20, 40] as [Float]) {
      #expect(stroke.samples.count == 50 && stroke.samples.allSatisfy { $0.position.y == y })
    }
  }

  @Test func `a slip of the finger is not sent`() {
    var glass = glass()
    _ = glass.down(Sample(time: 0, position: Point(40, 30)))
    _ = glass.up(at: 1)
    let finished = press(Self.layout.done.centre, &glass)
    #expect(finished == nil)
    let again = sign(&glass)
    #expect(again != nil)
  }

  @Test func `Clear restores the clean pad, pixel for pixel`() {
    var glass = glass()
    _ = glass.compose()
    let clean = glass.canvas.pixels
    let stroke = SyntheticHand().paraph(at: Point(30, 50), height: 9)[1]
    for (index, sample) in stroke.enumerated() {
      _ = index == 0 ? glass.down(sample) : glass.move(sample)
    }
    _ = glass.up(at: stroke[stroke.count - 1].time)
    #expect(glass.drawing.store.strokes().map(\.samples.count) == [stroke.count])
    _ = glass.compose()
    let signed = glass.canvas.pixels
    #expect(signed != clean)
    _ = press(Self.layout.clear.centre, &glass)
    _ = glass.compose()
    let wiped = glass.canvas.pixels
    #expect(wiped == clean)
  }

  @Test func `the signature stays on the glass while it is saved and is gone afterwards`() throws {
    var glass = glass()
    _ = glass.compose()
    let clean = glass.canvas.pixels
    _ = sign(&glass)
    _ = glass.compose()
    let saving = glass.canvas.pixels
    #expect(saving != clean)
    glass.saved(at: 100)
    let until = glass.deadline
    let deadline = try #require(until)
    _ = glass.compose()
    glass.time(deadline)
    _ = glass.compose()
    let after = glass.canvas.pixels
    #expect(after == clean)
  }

  @Test func `a wiped signature's memory is released after the next frame`() throws {
    var glass = PadModel(
      width: 4620, height: 2580, scale: Scale(x: 30, y: 30), model: .uberSignature,
      theme: Theme(), minimumLength: 5)
    func frame(_ glass: inout PadModel) -> Int {
      _ = glass.compose()
      glass.releaseMemory()
      return Self.held(glass)
    }
    let clean = frame(&glass)
    _ = sign(&glass)
    let signed = frame(&glass)
    #expect(signed > clean + 20)
    glass.saved(at: 100)
    let acknowledged = frame(&glass)
    #expect(acknowledged == signed)
    let until = glass.deadline
    glass.time(try #require(until))
    // The frame still shows the ink.
    glass.releaseMemory()
    let before = Self.held(glass)
    #expect(before == signed)
    let after = frame(&glass)
    #expect(after == clean)
  }

  @Test func `a stroke continues without page faults`() {
    var glass = PadModel(
      width: 4620, height: 2580, scale: Scale(x: 10, y: 10), model: .standard, theme: Theme(),
      minimumLength: 5)
    let clean = Self.held(glass)
    var waited = 0
    for stroke in SyntheticHand().paraph(at: Point(30, 50), height: 9) {
      for (index, sample) in stroke.enumerated() {
        let before = Self.held(glass)
        _ = index == 0 ? glass.down(sample) : glass.move(sample)
        _ = glass.compose()
        // Nobody knows where a stroke begins.
        if index > 0 { waited += Self.held(glass) - before }
        glass.prefault()
      }
      _ = glass.up(at: stroke[stroke.count - 1].time)
    }
    #expect(waited == 0)
    #expect(Self.held(glass) > clean + 100)
  }

  @Test func `prefaulted memory is not visible`() {
    var plain = glass()
    var ready = glass()
    for stroke in SyntheticHand().paraph(at: Point(30, 50), height: 9) {
      for (index, sample) in stroke.enumerated() {
        _ = index == 0 ? plain.down(sample) : plain.move(sample)
        _ = index == 0 ? ready.down(sample) : ready.move(sample)
        _ = plain.compose()
        _ = ready.compose()
        ready.prefault()
      }
      _ = plain.up(at: stroke[stroke.count - 1].time)
      _ = ready.up(at: stroke[stroke.count - 1].time)
      let (expected, shown) = (plain.canvas.pixels, ready.canvas.pixels)
      #expect(shown == expected)
    }
  }

  @Test func `a button looks pressed in the next picture, and released in the one after`() {
    var glass = glass()
    let clear = Self.layout.clear
    _ = glass.down(Sample(time: 0, position: Point(40, 30)))
    _ = glass.move(Sample(time: 1, position: Point(70, 40)))
    _ = glass.up(at: 2)
    _ = glass.compose()
    // Beside its word and its sign.
    let (x, y) = (Int((clear.origin.x + 1) * 5), Int(clear.centre.y * 5))
    let colours = Theme().colours
    #expect(glass.canvas[x, y] & 0xFF_FFFF == colours.clear.face)
    _ = glass.down(Sample(time: 3, position: clear.centre))
    let pressed = glass.compose()
    #expect(glass.canvas[x, y] & 0xFF_FFFF == colours.pressed.face)
    #expect(pressed.bounds == PixelRect(around: clear, scale: Self.scale))
    _ = glass.move(Sample(time: 4, position: Point(clear.centre.x, clear.origin.y - 9)))
    _ = glass.compose()
    #expect(glass.canvas[x, y] & 0xFF_FFFF == colours.clear.face)
  }

  @Test func `while it is saved, not a pixel of the signature moves`() {
    var glass = glass()
    for stroke in SyntheticHand().paraph(at: Point(30, 50), height: 9) {
      for (index, sample) in stroke.enumerated() {
        _ = index == 0 ? glass.down(sample) : glass.move(sample)
      }
      _ = glass.up(at: stroke[stroke.count - 1].time)
    }
    _ = glass.compose()
    func ink(_ glass: borrowing PadModel) -> [UInt32] {
      let (top, bottom) = (
        Int(Self.layout.header.end.y * 5) + 11, Int(Self.layout.signing.end.y * 5)
      )
      return (top..<bottom).flatMap { y in (0..<770).map { glass.canvas[$0, y] } }
    }
    let signed = ink(glass)
    #expect(signed.contains(0xFF00_0000))
    let finished = press(Self.layout.done.centre, &glass)
    #expect(finished != nil)
    _ = glass.compose()
    #expect(ink(glass) == signed)
    // Touches change nothing meanwhile either.
    _ = press(Self.layout.clear.centre, &glass)
    _ = press(Point(60, 40), &glass)
    glass.time(1_000_000_000)
    _ = glass.compose()
    #expect(ink(glass) == signed)
  }

  @Test func `a signature that begins during the acknowledgement is sent alone`() {
    var glass = glass()
    let first = sign(&glass)
    glass.saved(at: 100)
    let second = sign(&glass)
    #expect(first?.strokes == second?.strokes)
  }

  @Test func `a signature of one panel is acknowledged on the next, of another size`() {
    var first = glass()
    let finished = sign(&first)
    #expect(finished != nil)
    var next = PadModel(
      width: 500, height: 300, scale: Self.scale, model: .uberSignature, theme: Theme(),
      minimumLength: 5)
    _ = next.restore(first.snapshot, at: 0)
    let ink = next.drawing.store.strokes()
    #expect(ink == finished?.strokes)
    let again = sign(&next)
    #expect(again == nil)
    let later: Int64 = 60_000_000_000
    next.saved(at: later)
    next.time(later + SessionRules().acknowledgement)
    let isEmpty = next.drawing.store.strokes().isEmpty
    #expect(isEmpty)
  }

  @Test func `a palm on a full pad removes no stroke`() {
    var glass = PadModel(
      width: 770, height: 430, scale: Self.scale, model: .standard, theme: Theme(),
      minimumLength: 5, capacity: 12)
    for stroke in 0..<2 {
      let y = 30 + 10 * Float(stroke)
      _ = glass.down(Sample(time: Int64(stroke) * 100, position: Point(40, y)))
      for step in 1..<6 {
        _ = glass.move(
          Sample(time: Int64(stroke * 100 + step), position: Point(40 + Float(step), y)))
      }
      _ = glass.up(at: Int64(stroke * 100 + 6))
    }
    let signed = glass.drawing.store.strokes()
    #expect(signed.map(\.samples.count) == [6, 6])
    for isMistake in [true, false, true] {
      _ = glass.down(Sample(time: 300, position: Point(90, 30)))
      _ = glass.move(Sample(time: 301, position: Point(95, 30)))
      _ = isMistake ? glass.cancel(isMistake: true) : glass.up(at: 302)
    }
    let kept = glass.drawing.store.strokes()
    #expect(kept == signed)
    let finished = press(Self.layout.done.centre, &glass)
    #expect(finished?.strokes == signed)
  }

  @Test func `Undo does not count a stroke that did not fit`() {
    var glass = PadModel(
      width: 770, height: 430, scale: Self.scale, model: .standard, theme: Theme(),
      minimumLength: 5, capacity: 2)
    let layout = Layout(width: 154, height: 86, parts: LayoutParts(undo: true))
    glass.setScenes(Scene(layout: layout))
    _ = glass.down(Sample(time: 0, position: Point(40, 30)))
    _ = glass.move(Sample(time: 1, position: Point(60, 30)))
    _ = glass.up(at: 2)
    _ = glass.down(Sample(time: 3, position: Point(40, 40)))
    _ = glass.up(at: 4)
    #expect(glass.session.viewState.undo == .normal)
    _ = press(layout.area(of: .undo).centre, &glass)
    let isEmpty = glass.drawing.isEmpty
    #expect(isEmpty && glass.session.viewState.undo == .disabled)
  }
  @Test func `ink runs ahead of the hand by as much as is configured`() throws {
    let theme = Theme(try ThemeFixtures.configuration("[ink]\nprediction = 16ms"))
    let plain = Theme(try ThemeFixtures.configuration(""))
    func drawn(_ theme: Theme) -> (tail: PixelRect, strokes: [Stroke]) {
      var glass = PadModel(
        width: 770, height: 430, scale: Self.scale, model: .standard, theme: theme,
        minimumLength: 5)
      _ = glass.down(Sample(time: 0, position: Point(40, 30)))
      for step in 1..<8 {
        _ = glass.move(
          Sample(time: Int64(step) * 8_000_000, position: Point(40 + Float(step), 30)))
      }
      let tail = glass.drawing.planes.tailBounds
      _ = glass.up(at: 64_000_000)
      return (tail, glass.drawing.store.strokes())
    }
    // At 125 mm/s: 2 mm, each 5 pixels.
    let (ahead, behind) = (drawn(theme), drawn(plain))
    #expect((8...12).contains(ahead.tail.x1 - behind.tail.x1))
    #expect(ahead.strokes == behind.strokes)
  }
}
