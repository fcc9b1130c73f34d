import Foundation
import PNG
import Raster
import Testing

@Suite struct PreviewTests {
  let folder: Folder
  let conf: String

  init() throws {
    folder = try Folder()
    conf = try folder.file("conf", Folder.smallPanel)
  }

  private func picture(_ arguments: String...) throws -> PNGPicture {
    let result = try Tool.run(["preview", "-c", conf, "-o", folder.path("out.png")] + arguments)
    #expect(result.status == 0 && result.output.isEmpty, "\(result)")
    return try PNGFile.decode(try folder.bytes("out.png"))
  }

  @Test func `the picture has the panel's pixels, and each text changes it`() throws {
    let plain = try picture()
    #expect(plain.width == 320 && plain.height == 240)
    #expect(Set(plain.bytes).count > 2)
    let pictures = [
      plain, try picture("--title", "Parcel 4711"), try picture("--prompt", "For Ms Brinkmann"),
      try picture("--cancellable"), try picture("--timeout", "65"),
      try picture("--message", "Locker 4"),
      try picture("--question", "Locker 4?", "--choice", "Yes", "--choice", "No"),
      try picture("--question", "Locker 4?", "--choice", "Yes", "--choice", "No", "--timeout", "9"),
    ]
    #expect(Set(pictures.map { $0.bytes }).count == pictures.count)
  }

  @Test func `a slide fills the panel, and one that cannot be shown is named`() throws {
    let pixels = (0..<12).flatMap { _ in [200, 0, 0] as [UInt8] }
    let png = try PNGFile.encode(
      pixels.span.bytes, as: PNGHeader(width: 4, height: 3, pixels: .rgb))
    let slide = try folder.file("slide.png", "")
    try Data(png).write(to: URL(fileURLWithPath: slide))
    let shown = try picture("--slide", slide)
    // The panel is a little wider than the slide: columns of the ground are left.
    #expect(Set(shown.bytes) == [200, 0, 255])
    #expect(shown.bytes.count { $0 == 255 } < shown.bytes.count / 50)
    let bad = try Tool.run("preview", "-c", conf, "--slide", conf, "-o", folder.path("none.png"))
    #expect(bad.isMistake(65) && bad.error.contains("\(conf): "), "\(bad)")
    #expect(throws: (any Error).self) { try folder.bytes("none.png") }
  }

  @Test func `each page of a text is another picture, and a page that it lacks is refused`() throws
  {
    let lines = (1...80).map { "Line \($0) of the terms.\n" }.joined()
    let text = try folder.file("terms.txt", lines)
    let pages = try (1...2).map { try picture("--document", text, "--page", "\($0)").bytes }
    #expect(pages[0] != pages[1])
    let firstByDefault = try picture("--document", text).bytes == pages[0]
    #expect(firstByDefault)
    let result = try Tool.run(
      "preview", "-c", conf, "--document", text, "--page", "99", "-o", folder.path("none.png"))
    #expect(
      result.isMistake(65) && result.error.contains("\(text): the document has "), "\(result)")
  }

  @Test func `a text that the pad refuses is not drawn`() throws {
    let text = try folder.file("mixed.txt", String(repeating: "aא", count: 10_000))
    let result = try Tool.run(
      "preview", "-c", conf, "--document", text, "-o", folder.path("none.png"))
    #expect(
      result.isMistake(65)
        && result.error.contains("\(text): the text has more than 3000 lines and changes"),
      "\(result)")
  }

  @Test(.enabled(if: DocumentPDFTests.hasPoppler, "needs poppler-utils"))
  func `a page of a PDF is shown`() throws {
    let contract = try folder.file("contract.pdf", TinyPDF(pages: 3).text)
    let pages = try [1, 3].map { try picture("--document", contract, "--page", "\($0)").bytes }
    #expect(pages[0] != pages[1])
    let result = try Tool.run(
      "preview", "-c", conf, "--document", contract, "--page", "4", "-o", folder.path("none.png"))
    #expect(result.isMistake(65) && result.error.contains("has 3 pages"), "\(result)")
  }

  @Test(.enabled(if: DocumentPDFTests.hasPoppler, "needs poppler-utils"))
  func `a page of a PDF that is too tall for the pad is refused before it is rendered`() throws {
    let thin = try folder.file("thin.pdf", TinyPDF(size: (10, 14_400)).text)
    let result = try Tool.run(
      "preview", "-c", conf, "--document", thin, "-o", folder.path("none.png"))
    let limits = "the pad shows at most 10000 rows and 8388608 pixels\n"
    #expect(result.isMistake(65) && result.error.hasSuffix(limits), "\(result)")
    #expect(result.error.hasPrefix("paraph: \(thin): page 1: too tall: "), "\(result)")
  }

  @Test func `options replace the configured panel`() throws {
    let large = try picture("--pixels", "800x480", "--size", "154x86")
    #expect(large.width == 800 && large.height == 480)
    #expect(abs(try #require(large.scale).x - 800 / 154) < 0.01)
  }

  @Test func `a rotated panel is shown as its viewer sees it`() throws {
    let upright = try folder.file(
      "upright", "[display]\ncard = memory\npixels = 320x240\nsize = 71x53\nrotation = 90\n")
    let result = try Tool.run("preview", "-c", upright, "-o", folder.path("up.png"))
    #expect(result.status == 0, "\(result)")
    let picture = try PNGFile.decode(try folder.bytes("up.png"))
    #expect(picture.width == 240 && picture.height == 320)
  }

  @Test func `a text that does not fit is refused with its limit, and nothing is written`() throws {
    let text = String(repeating: "word ", count: 400)
    let result = try Tool.run(
      "preview", "-c", conf, "--prompt", text, "-o", folder.path("none.png"))
    #expect(result.isMistake(65), "\(result)")
    #expect(result.error.contains("prompt is too long for the panel: "), "\(result)")
    #expect(throws: (any Error).self) { try folder.bytes("none.png") }
    let message = try Tool.run(
      "preview", "-c", conf, "--message", text, "-o", folder.path("none.png"))
    #expect(message.isMistake(65), "\(message)")
    #expect(message.error.contains("message is too long for the panel: "), "\(message)")
    for (name, words) in [
      ("question", ["--question", text, "--choice", "a", "--choice", "b"]),
      ("choice", ["--question", "q", "--choice", "a", "--choice", text]),
    ] {
      let question = try Tool.run(["preview", "-c", conf, "-o", folder.path("none.png")] + words)
      #expect(question.isMistake(65), "\(question)")
      #expect(question.error.contains("\(name) is too long for the panel: "), "\(question)")
    }
  }

  @Test(arguments: [
    ["--pixels", "800"], ["--pixels", "800x"], ["--pixels", "9000x480"], ["--size", "1x1"],
    ["--timeout", "0"], ["--language", "12"], ["--message", "m", "--prompt", "p"],
    ["--message", "m", "--cancellable"], ["--question", "q"], ["--choice", "a", "--choice", "b"],
    ["--slide", "s.png", "--title", "t"], ["--slide", "s.png", "--cancellable"],
    ["--slide", "s.png", "--language", "de"], ["--question", "q", "--choice", "a"],
    ["--question", "q", "--message", "m", "--choice", "a"],
    ["--page", "2"], ["--document", "d.txt", "--page", "0"],
    ["--document", "d.txt", "--message", "m"],
    ["--document", "d.txt", "--slide", "s.png"],
  ])
  func `wrong options are named`(_ arguments: [String]) throws {
    let result = try Tool.run(["preview", "-o", folder.path("out.png")] + arguments)
    #expect(result.isMistake(64) && result.error.contains("'--"), "\(result)")
  }
}
