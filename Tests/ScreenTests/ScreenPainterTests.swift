import Configuration
import Raster
import ScreenFixtures
import Testing

@testable import Screen

@Suite struct ScreenPainterTests {
  /// Every page, and every state of a button and the header that an invitation can have.
  static let states: [ViewState] = {
    let plain = ViewState(
      clear: .normal, undo: .normal, done: .normal, cancel: .normal, understood: .normal,
      page: .invitation, isSaving: false, isTooShort: false, secondsLeft: 65, request: 1)
    func state(_ change: (inout ViewState) -> Void) -> ViewState {
      var state = plain
      change(&state)
      return state
    }
    return [
      plain, state { $0.done = .pressed }, state { ($0.clear, $0.undo) = (.disabled, .pressed) },
      state { $0.isTooShort = true }, state { ($0.isSaving, $0.secondsLeft) = (true, nil) },
      state { $0.secondsLeft = 4 }, state { $0.secondsLeft = nil },
      state { $0.isMirrored = true },
      state { $0.page = .saved }, state { $0.page = .cancelled }, state { $0.page = .timedOut },
      state { $0.page = .outOfService }, state { $0.page = .idle },
      state { ($0.page, $0.isMirrored) = (.saved, true) },
      state { ($0.page, $0.isMirrored) = (.outOfService, true) },
    ]
  }()

  let panel = ScreenGeometry(width: 213, height: 159, scale: Scale(x: 3, y: 3))

  /// The pixels of the canvas after these states, one after the other.
  func pixels(_ states: [ViewState], _ scene: Scene) -> [UInt32] {
    var canvas = Canvas(
      width: panel.width, height: panel.height, ground: ThemeColours.light.ground, ink: 0)
    var painter = ScreenPainter(scale: panel.scale, colours: .light)
    for state in states { _ = painter.show(state, scene, on: &canvas) }
    let planes = InkPlanes(width: panel.width, height: panel.height)
    canvas.compose(canvas.rect, ink: planes)
    return canvas.pixels
  }

  @Test func `notes are shown on the idle page, and stay when the header is replaced`() throws {
    let builder = try TestWords.builder("en", panel.glass)
    let note = "paraphd.conf line 7: [pad] invite: must be one of always, request"
    let scene = builder.resting(notes: [String](repeating: note, count: 8))
    let plain = builder.resting()
    var states = Self.states.filter { [.idle, .invitation].contains($0.page) }
    for index in states.indices { (states[index].request, states[index].secondsLeft) = (nil, nil) }
    for state in states {
      let shown = pixels([state], scene)
      #expect(shown != pixels([state], plain))
      for before in states { #expect(pixels([before, state], scene) == shown) }
    }
  }

  @Test
  func `a document is read on the plain ground, without the background and logo of the theme`()
    throws
  {
    var painting = GroundPicture.Painting(
      width: panel.width, height: panel.height, ground: ThemeColours.light.ground)
    let row = [SIMD4<Float>](repeating: SIMD4(200, 0, 0, 1), count: panel.width)
    for y in 0..<panel.height { painting.composite(row.span, x: 0, y: y) }
    let picture = GroundPicture(painting)
    var read = Self.states[0]
    (read.page, read.secondsLeft) = (.reading, nil)
    read.reading = ViewState.Reading(
      page: 0, offset: 0, back: .disabled, forward: .normal, sign: .disabled)
    let scenes = try [picture, nil].map {
      try TestWords.builder("en", panel.glass, picture: $0).signature(
        1, title: "Parcel", prompt: nil, language: nil, cancel: true, countdown: false,
        document: .text(String(repeating: "Some words. ", count: 400)))
    }
    let (decorated, plain) = (pixels([read], scenes[0]), pixels([read], scenes[1]))
    let isSame = decorated == plain
    #expect(isSame)
    let signed = scenes.map { pixels([Self.states[0]], $0) }
    let differs = signed[0] != signed[1]
    #expect(differs, "the picture is shown while a person signs")
  }

  @Test func `every state has its own picture, and nothing is left of the previous one`() throws {
    let scene = try TestWords.builder("en", panel.glass).signature(
      1, title: "Parcel", prompt: "Please sign", language: nil, cancel: true, countdown: true)
    let fresh = Self.states.map { pixels([$0], scene) }
    #expect(Set(fresh).count == Self.states.count)
    for (index, state) in Self.states.enumerated() {
      let before = Self.states[(index + 5) % Self.states.count]
      let (there, expected) = (pixels([before, state], scene), fresh[index])
      #expect(there == expected, "\(before.page) to \(state.page), state \(index)")
    }
  }

  @Test(arguments: [ViewState.Page.invitation, .saved, .outOfService])
  func `the eye appears and disappears on each page that can show ink`(_ page: ViewState.Page)
    throws
  {
    let scene = try TestWords.builder("en", panel.glass).resting()
    var plain = Self.states[0]
    (plain.page, plain.request, plain.secondsLeft) = (page, nil, nil)
    var mirrored = plain
    mirrored.isMirrored = true
    let (without, with) = (pixels([plain], scene), pixels([mirrored], scene))
    #expect(without != with)
    #expect(pixels([plain, mirrored], scene) == with)
    #expect(pixels([mirrored, plain], scene) == without)
  }

  @Test func `only changed pixels are damage`() throws {
    let scene = Scene(
      number: 1, layout: Layout(width: panel.glass.x, height: panel.glass.y))
    var canvas = Canvas(
      width: panel.width, height: panel.height, ground: ThemeColours.light.ground, ink: 0)
    var painter = ScreenPainter(scale: panel.scale, colours: .light)
    let all = painter.show(Self.states[0], scene, on: &canvas)
    #expect(all == PixelRect(width: panel.width, height: panel.height))
    let same = painter.show(Self.states[0], scene, on: &canvas)
    #expect(same.isEmpty)
    let pressed = painter.show(Self.states[1], scene, on: &canvas)
    #expect(pressed == PixelRect(around: scene.layout.done, scale: panel.scale))
  }
}
