import Control
import Ink
import Screen
import Spool
import SyntheticHand
import Testing

@testable import Pad

/// Requests with a document.
@Suite struct SessionReadingTests {
  let second: Int64 = 1_000_000_000
  let glass = Point(150, 90)

  /// Three pages: as high as the area, twice as high, and low.
  func request(early: Bool = false, limit: Int64? = nil, number: Int64 = 1) -> TypesetRequest {
    var parts = LayoutParts(undo: true, cancel: true)
    parts.hasDocument = true
    let layout = Layout(width: glass.x, height: glass.y, parts: parts)
    let width = Int(layout.signing.size.x)
    let height = Int(layout.signing.size.y)
    let pages = [height, 2 * height, height / 2].enumerated().map { index, height in
      DocumentContent.Picture(
        digest: String(repeating: "\(index)", count: 64), width: width, height: height)
    }
    var request = PadRequest(.signature, number: number)
    request.timeLimit = limit
    request.document = RequestDocument(
      client: 1, id: "d", name: "Contract.pdf", digest: String(repeating: "a", count: 64), count: 3)
    let reading = Reading(
      .pictures(pages), glass: glass, pixelAspect: 1, parts: parts, isEarly: early)
    return TypesetRequest(
      request: request, scene: Scene(number: number, layout: layout, reading: reading))
  }

  func session(_ request: TypesetRequest, abandonment: Int64? = nil, at time: Int64 = 0) -> Session
  {
    var rules = SessionRules()
    (rules.invites, rules.abandonment) = (false, abandonment)
    var session = Session(
      resting: Scene(layout: Layout(width: glass.x, height: glass.y)), rules: rules)
    _ = session.open(request, at: time)
    return session
  }

  /// Every page is painted at once.
  func press(_ button: Button, _ session: inout Session, at time: Int64 = 0) -> SessionAction {
    let layout = session.requests.scene.layout(of: session.viewState.page)
    _ = session.down(Sample(time: time, position: layout.area(of: button).centre))
    let action = session.up()
    paint(&session, at: time)
    return action
  }

  func paint(_ session: inout Session, at time: Int64 = 0) {
    session.painted(session.viewState.reading?.page, at: time)
  }

  func drag(_ session: inout Session, from: Point, to: Point, at time: Int64 = 0) {
    _ = session.down(Sample(time: time, position: from))
    for step in 1...10 {
      let place = from + (to - from) * (Float(step) / 10)
      _ = session.move(Sample(time: time, position: place))
    }
    _ = session.up()
    paint(&session, at: time)
  }

  func told(_ session: inout Session) -> [ControlEvent] {
    var events: [ControlEvent] = []
    session.report { events.append($0) }
    return events
  }

  @Test func `the line to sign on appears after the end of the last page`() {
    var session = session(request())
    paint(&session)
    #expect(session.viewState.page == .reading && session.viewState.reading?.sign == .disabled)
    _ = press(.sign, &session)
    #expect(session.viewState.page == .reading)
    for page in 1...2 {
      _ = press(.forward, &session)
      #expect(session.viewState.reading?.page == page)
    }
    #expect(session.viewState.reading?.forward == .disabled)
    #expect(session.viewState.reading?.sign == .normal)
    _ = press(.sign, &session)
    #expect(session.viewState.page == .invitation)
  }

  @Test func `the end counts only once it is painted`() {
    var session = session(request())
    for _ in 0..<2 {
      let layout = session.requests.scene.layout(of: .reading)
      _ = session.down(Sample(time: 0, position: layout.area(of: .forward).centre))
      _ = session.up()
    }
    #expect(session.viewState.reading?.page == 2 && session.viewState.reading?.sign == .disabled)
    // A page that was painted before is not this one.
    session.painted(1, at: 0)
    #expect(session.viewState.reading?.sign == .disabled)
    session.painted(2, at: 0)
    #expect(session.viewState.reading?.sign == .normal)
  }

  @Test func `a request may let the person sign early`() {
    var session = session(request(early: true))
    paint(&session)
    _ = press(.sign, &session)
    #expect(session.viewState.page == .invitation)
  }

  @Test func `going back to the document keeps the ink`() {
    var session = session(request(early: true))
    paint(&session)
    _ = press(.sign, &session)
    _ = session.down(Sample(time: 0, position: Point(40, 30)))
    _ = session.up()
    #expect(press(.document, &session) == .none)
    #expect(session.viewState.page == .reading)
    #expect(session.down(Sample(time: 0, position: Point(40, 30))) == .none, "no ink on a page")
    _ = session.up()
    _ = press(.sign, &session)
    #expect(session.viewState.done == .normal)
    #expect(press(.done, &session) == .save)
  }

  @Test func `each page is reported once while it is read`() {
    var session = session(request())
    paint(&session)
    drag(&session, from: Point(100, 40), to: Point(50, 42))
    drag(&session, from: Point(75, 60), to: Point(76, 20))
    drag(&session, from: Point(50, 40), to: Point(100, 42))
    #expect(
      told(&session)
        == [1, 2, 1].map { ControlEvent.reading(1, page: $0, deadline: nil) })
    _ = press(.cancel, &session)
    #expect(told(&session) == [.cancelled(1, by: .person)])
    #expect(session.viewState.page == .cancelled)
  }

  @Test func `the buttons turn the pages forwards and back`() {
    var session = session(request())
    paint(&session)
    #expect(session.viewState.reading?.back == .disabled)
    for (button, page) in [(Button.forward, 1), (.forward, 2), (.back, 1), (.back, 0)] {
      _ = press(button, &session)
      #expect(session.viewState.reading?.page == page)
    }
    #expect(session.viewState.reading?.back == .disabled)
  }

  @Test func `the time of a page ends when it is turned, before the next one is painted`() throws {
    var session = session(request())
    paint(&session)
    _ = session.press(.forward, at: 1_000_000_000)
    #expect(told(&session).last == .reading(1, page: 2, deadline: nil))
    session.painted(2, at: 5_000_000_000)
    let pages = try #require(session.shownDocument?.pages)
    #expect(pages.map { $0.milliseconds }.prefix(2) == [1000, 0])
  }

  @Test func `a finger scrolls a high page, and the ground below it moves with it`() {
    var session = session(request())
    paint(&session)
    _ = press(.forward, &session)
    drag(&session, from: Point(75, 60), to: Point(75, 20))
    let offset = session.viewState.reading?.offset ?? 0
    #expect(offset > 30 && offset <= 40)
  }

  @Test func `while the person reads, the time limit counts from the last touch`() {
    var session = session(request(limit: 60 * second))
    paint(&session)
    #expect(session.deadline == 60 * second)
    _ = press(.forward, &session, at: 50 * second)
    #expect(session.deadline == 110 * second)
    _ = session.time(109 * second)
    #expect(session.viewState.page == .reading)
    _ = session.time(110 * second)
    #expect(session.viewState.page == .timedOut)
    #expect(told(&session).last == .timedOut(1))
  }

  @Test func `the time limit counts anew when the person goes back to the document`() {
    // From the invitation, and while signing.
    for hasInk in [false, true] {
      var session = session(request(early: true, limit: 60 * second))
      paint(&session)
      _ = press(.sign, &session, at: 10 * second)
      if hasInk {
        _ = session.down(Sample(time: 20 * second, position: Point(40, 30)))
        _ = session.up()
      }
      _ = session.time(40 * second)
      #expect(session.viewState.secondsLeft == 30, "the limit of the signature is that of reading")
      _ = press(.document, &session, at: 60 * second)
      #expect(session.deadline == 120 * second)
      _ = session.time(119 * second)
      #expect(session.viewState.page == .reading)
      // Pressing Sign is a touch while reading.
      _ = press(.sign, &session, at: 119 * second)
      #expect(session.viewState.secondsLeft == 60)
    }
  }

  @Test func `the time on the glass is that of the pages that were visible`() throws {
    var session = session(request())
    // Nothing is shown yet.
    session.painted(0, at: 2 * second)
    _ = press(.forward, &session, at: 5 * second)
    session.setVisible(false, at: 6 * second)
    session.setVisible(true, at: 16 * second)
    _ = press(.forward, &session, at: 18 * second)
    _ = press(.sign, &session, at: 22 * second)
    // The line to sign on is not a page.
    _ = session.down(Sample(time: 30 * second, position: Point(40, 30)))
    _ = session.up()
    let document = try #require(session.shownDocument)
    #expect(document.name == "Contract.pdf")
    #expect(document.pages.map { $0.milliseconds } == [3000, 3000, 4000])
    #expect(document.pages.map { $0.digest.first } == ["0", "1", "2"])
  }

  @Test func `ink is wiped when nobody touches the document for long`() {
    var session = session(request(early: true), abandonment: 30 * second)
    paint(&session)
    _ = press(.sign, &session, at: second)
    _ = session.down(Sample(time: 2 * second, position: Point(40, 30)))
    _ = session.up()
    _ = press(.document, &session, at: 3 * second)
    #expect(session.deadline == 33 * second)
    #expect(session.time(33 * second) == .wipe)
    #expect(session.viewState.page == .reading)
    _ = press(.sign, &session, at: 34 * second)
    #expect(session.viewState.done == .disabled)
  }

  @Test func `the time of a page on another panel counts when it is painted there`() throws {
    var session = session(request())
    session.painted(0, at: 0)
    _ = session.time(3 * second)
    session.replaceScenes(resting: session.requests.resting) { _ in request().scene }
    session.painted(0, at: 5 * second)
    _ = press(.forward, &session, at: 7 * second)
    let pages = try #require(session.shownDocument?.pages)
    #expect(pages.map { $0.milliseconds } == [5000, 0, 0])
  }

  @Test func `another panel shows the same page, and a restored signature its line`() {
    var session = session(request())
    paint(&session)
    _ = press(.forward, &session)
    session.replaceScenes(resting: session.requests.resting) { _ in request().scene }
    #expect(session.viewState.reading?.page == 1)
    var rules = SessionRules()
    rules.invites = false
    var restored = Session(resting: session.requests.resting, rules: rules)
    restored.show(request())
    #expect(restored.restore(strokes: 1, isDone: false, at: 0) == .none)
    #expect(restored.viewState.page == .invitation && restored.viewState.done == .normal)
    _ = press(.document, &restored)
    #expect(restored.viewState.reading?.sign == .normal)
  }

  /// A text of pages with these digests.
  func text(_ digests: [Character], isPlaceholder: Bool = false) -> TypesetRequest {
    var request = request()
    request.request.document?.upload = DocumentUpload(folder: 1, pages: nil)
    var parts = LayoutParts(undo: true, cancel: true)
    parts.hasDocument = true
    let layout = request.scene.layout
    let reading: Reading
    if isPlaceholder {
      reading = Reading(
        .text(""), glass: glass, pixelAspect: 1, parts: parts, isEarly: false,
        textDigest: String(repeating: "f", count: 64))
    } else {
      let size = layout.signing.size
      let pages = digests.map {
        DocumentContent.Picture(
          digest: String(repeating: $0, count: 64), width: Int(size.x), height: Int(size.y))
      }
      reading = Reading(
        .pictures(pages), glass: glass, pixelAspect: 1, parts: parts, isEarly: false)
    }
    request.scene = Scene(number: 1, layout: layout, reading: reading)
    return request
  }

  @Test func `a text that was read on another panel is bound as it was shown there`() throws {
    var session = session(text(["a", "b"]))
    session.painted(0, at: 0)
    _ = press(.forward, &session, at: 3 * second)
    _ = press(.sign, &session, at: 5 * second)
    let shown = try #require(session.shownDocument)
    #expect(shown.pages.map { $0.milliseconds } == [3000, 2000])
    for scene in [text([], isPlaceholder: true), text(["c", "d", "e"])] {
      session.replaceScenes(resting: session.requests.resting) { _ in scene.scene }
      #expect(session.shownDocument == shown)
    }
    // Who has read it to its end may sign, and may read it again.
    _ = press(.document, &session, at: 6 * second)
    #expect(session.viewState.reading?.sign == .normal)
    _ = press(.sign, &session, at: 7 * second)
    #expect(session.shownDocument?.pages.map { $0.milliseconds } == [1000, 0, 0])
  }

  @Test func `a restored signature whose words are not typeset has a page with a digest`() throws {
    var rules = SessionRules()
    rules.invites = false
    let resting = Scene(layout: Layout(width: glass.x, height: glass.y))
    var session = Session(resting: resting, rules: rules)
    session.show(text([], isPlaceholder: true))
    #expect(session.restore(strokes: 1, isDone: true, at: 0) == .save)
    let document = try #require(session.shownDocument)
    #expect(ShownDocument(document.json) == document)
  }

  @Test func `a restored signature keeps the times of its pages until it is saved`() throws {
    let read = ShownDocument(
      name: "Contract.pdf", digest: String(repeating: "a", count: 64),
      pages: [3000, 2000, 1000].enumerated().map {
        ShownDocument.Page(digest: String(repeating: "\($0)", count: 64), milliseconds: $1)
      })
    var session = session(request())
    #expect(session.restore(strokes: 1, isDone: true, document: read, at: 0) == .save)
    #expect(session.shownDocument == read)
    // The disk is full: the person presses Done again.
    _ = session.notSaved()
    _ = session.service(available: false)
    _ = session.service(available: true)
    #expect(session.shownDocument == read)
    // As long as no page is read again.
    _ = press(.document, &session, at: 6 * second)
    _ = press(.sign, &session, at: 7 * second)
    #expect(session.shownDocument?.pages.map { $0.milliseconds } == [1000, 0, 0])
  }

  @Test func `a pad that goes out of service while the person reads continues with the document`() {
    var session = session(request())
    paint(&session)
    _ = session.service(available: false)
    #expect(session.viewState.page == .outOfService)
    _ = session.service(available: true)
    #expect(session.viewState.page == .reading)
    // Also if the person may sign.
    for _ in 0..<2 { _ = press(.forward, &session) }
    _ = session.service(available: false)
    _ = session.service(available: true)
    #expect(session.viewState.page == .reading)
  }

  @Test func `a program can end the reading, and Done is not enabled meanwhile`() {
    var session = session(request())
    paint(&session)
    #expect(session.press(.done, at: 0) == .none)
    _ = session.withdraw(1, at: 0)
    #expect(told(&session).last == .cancelled(1, by: .program))
  }

  @Test(arguments: 0..<20) func `the page stays in the document whatever is touched`(_ seed: Int) {
    var random = SeededRandom(seed: UInt64(seed))
    var session = session(request(limit: 60 * second), abandonment: 20 * second)
    var time: Int64 = 0
    for _ in 0..<400 {
      time += Int64.random(in: 0...(2 * second), using: &random)
      let place = Point(
        Float.random(in: -5...155, using: &random), Float.random(in: -5...95, using: &random))
      switch Int.random(in: 0..<9, using: &random) {
      case 0, 1: _ = session.down(Sample(time: time, position: place))
      case 2, 3: _ = session.move(Sample(time: time, position: place))
      case 4: _ = session.up()
      case 5: _ = session.cancel()
      case 6: paint(&session, at: time)
      case 7: session.setVisible(Bool.random(using: &random), at: time)
      default: _ = session.time(time)
      }
      if session.viewState.page == .idle { _ = session.open(request(limit: 60 * second), at: time) }
      if let reading = session.viewState.reading {
        #expect((0..<3).contains(reading.page) && reading.offset >= 0)
        #expect(!session.wantedPages.isEmpty && session.wantedPages.allSatisfy((0..<3).contains))
        #expect(session.wantedPages.first == reading.page)
      }
      let document = session.shownDocument
      let total = document?.pages.reduce(0) { $0 + $1.milliseconds } ?? 0
      #expect(total >= 0 && total <= time / 1_000_000)
    }
  }

  @Test func `a page follows no finger whose touchscreen is unplugged, and follows the next`() {
    var session = session(request())
    paint(&session)
    _ = press(.forward, &session)
    _ = session.down(Sample(time: 0, position: Point(75, 60)))
    _ = session.move(Sample(time: 0, position: Point(75, 50)))
    _ = session.cancel(at: 1)
    let offset = session.viewState.reading?.offset
    _ = session.move(Sample(time: 2, position: Point(75, 30)))
    #expect(session.viewState.reading?.offset == offset)
    drag(&session, from: Point(75, 60), to: Point(75, 50), at: second)
    #expect((session.viewState.reading?.offset ?? 0) > (offset ?? 0))
  }

  @Test func `the page of a second request is not read before it is painted`() throws {
    var session = session(request())
    paint(&session)
    _ = session.withdraw(1, at: 3 * second)
    _ = session.time(100 * second)
    _ = session.open(request(early: true, number: 2), at: 100 * second)
    #expect(session.viewState.page == .reading)
    session.painted(0, at: 107 * second)
    _ = press(.sign, &session, at: 110 * second)
    let pages = try #require(session.shownDocument).pages
    #expect(pages.map { $0.milliseconds } == [3000, 0, 0])
  }

  @Test func `the time of a page ends when the person goes on to sign`() throws {
    var session = session(request(early: true))
    paint(&session)
    let layout = session.requests.scene.layout(of: .reading)
    _ = session.down(Sample(time: 5 * second, position: layout.area(of: .sign).centre))
    _ = session.up()
    // Before the next frame, the pad is hidden.
    session.setVisible(false, at: 20 * second)
    #expect(session.shownDocument?.pages.map { $0.milliseconds } == [5000, 0, 0])
  }
}
