import Control
import Ink
import Raster
import Testing

@testable import Pad
@testable import Text

@Suite struct SceneMakerTests {
  typealias Size = ScreensTests.Size

  func maker(_ size: Size) throws -> SceneMaker {
    try ScreensTests().maker("en", size, ScreensTests.Log())
  }

  func request(_ title: String?, _ prompt: String?) -> SignRequest {
    var request = SignRequest(number: 1)
    (request.title, request.prompt, request.cancellable) = (title, prompt, true)
    return request
  }

  func message(_ title: String?, _ text: String) -> MessageRequest {
    var message = MessageRequest(number: 1, text: text, timeLimit: 5)
    (message.title, message.button) = (title, true)
    return message
  }

  /// An em of a line in millimetres: DejaVu's capitals are 1493/2048 of it.
  func em(_ text: PlacedText) -> Float { text.line.capHeight * 2048 / 1493 }

  @Test(arguments: ScreensTests.sizes)
  func `a text is shown whole in letters that can be read, or refused with its limit`(
    _ size: Size
  ) throws {
    let maker = try maker(size)
    let word = "Empfangsbestätigung "
    var refused: Set<String> = []
    for count in [1, 2, 4, 7, 11, 16, 24, 40] {
      let text = String(repeating: word, count: count)
      for (name, scene) in [
        ("prompt", maker.scene(request(nil, text), timeLimit: 1)),
        ("prompt", maker.scene(request("Parcel", text), timeLimit: nil)),
        ("title", maker.scene(request(text, "Please sign"), timeLimit: nil)),
        ("text", maker.scene(message(nil, text))), ("text", maker.scene(message("Parcel", text))),
        ("title", maker.scene(message(text, "Thank you"))),
      ] {
        let shown = scene.texts.header + scene.texts.message
        #expect(shown.allSatisfy { em($0) >= SceneMaker.smallestWords - 0.01 })
        guard let overflow = scene.overflow else {
          #expect(shown.allSatisfy { isInside($0, scene.layout.header) }, "\(count) \(name)")
          continue
        }
        #expect(overflow.parameter == name)
        #expect(overflow.limit > 0 && overflow.limit < text.unicodeScalars.count)
        refused.insert(name)
      }
    }
    #expect(refused == ["title", "prompt", "text"])
  }

  private func isInside(_ text: PlacedText, _ area: Area) -> Bool {
    text.origin.x >= area.origin.x - 0.01
      && text.origin.x + text.line.width <= area.end.x + 0.01
      && text.origin.y - text.line.capHeight >= area.origin.y - 0.01
      && text.origin.y <= area.end.y + 0.01
  }

  @Test func `what fits according to the limit fits`() throws {
    let maker = try maker(ScreensTests.sizes[2])
    let text = String(repeating: "Goods received. ", count: 60)
    let overflow = try #require(maker.scene(request("Parcel", text), timeLimit: nil).overflow)
    #expect(overflow.parameter == "prompt")
    let short = String(text.prefix(overflow.limit))
    #expect(maker.scene(request("Parcel", short), timeLimit: nil).overflow == nil)
  }

  @Test func `five lines of a prompt are shown where there is room for five`() throws {
    let lines = "one\ntwo\nthree\nfour\nfive"
    // An upright 7" panel, and a 3.5" one.
    let large = try maker(ScreensTests.sizes[2]).scene(request(nil, lines), timeLimit: nil)
    #expect(large.overflow == nil && large.texts.header.count == 5)
    let small = try maker(ScreensTests.sizes[0]).scene(
      request("Parcel", lines + "\nsix\nseven"), timeLimit: nil)
    #expect(small.overflow?.parameter == "prompt")
  }

  @Test func `texts of the pad itself always fit`() throws {
    for size in ScreensTests.sizes {
      for language in ScreensTests.languages {
        let maker = try ScreensTests().maker(language, size, ScreensTests.Log())
        #expect(maker.resting().overflow == nil)
        var own = request(nil, nil)
        own.language = language
        #expect(maker.scene(own, timeLimit: 1).overflow == nil)
      }
    }
  }

  /// All code points go through the typesetter in its own tests; here every script goes all the way.
  @Test func `flags and letters of every script can stand in a title, a prompt and a text`() throws
  {
    let maker = try maker(ScreensTests.sizes[3])
    let flags = (UInt32(0x1F1E6)...0x1F1FF).compactMap { Unicode.Scalar($0) }
    let others = stride(from: UInt32(0x20), to: 0x20000, by: 1009).compactMap { Unicode.Scalar($0) }
    for (index, scalar) in (flags + others).enumerated() {
      let text = "To \(scalar)\(scalar)a\(scalar)"
      let scene =
        index % 2 == 0
        ? maker.scene(request(text, text), timeLimit: nil) : maker.scene(message(text, text))
      #expect(scene.overflow == nil && !(scene.texts.header + scene.texts.message).isEmpty)
    }
  }
}
