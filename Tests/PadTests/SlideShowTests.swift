import CLinux
import Configuration
import Linux
import PNG
import Raster
import Screen
import ScreenFixtures
import SpoolFixtures
import Testing

@testable import Pad

@Suite struct SlideShowTests {
  let folder = TemporaryFolder()
  let screen = ScreenGeometry(width: 40, height: 20, scale: Scale(x: 4, y: 4))
  let second: Int64 = 1_000_000_000

  /// A picture of one colour, which is twice as wide as high.
  func png(_ colour: [UInt8]) throws -> [UInt8] {
    let pixels = (0..<8).flatMap { _ in colour }
    return try PNGFile.encode(
      pixels.span.bytes, as: PNGHeader(width: 4, height: 2, pixels: .rgb))
  }

  /// Puts a file in the place of another one.
  func put(_ bytes: [UInt8], _ name: String) throws {
    try Fixtures.write(folder.path + "/.new", bytes)
    try #require(rename(folder.path + "/.new", folder.path + "/" + name) == 0)
  }

  var slides: SlideFolder { SlideFolder(path: folder.path, screen: screen, ground: 0xFFFFFF) }

  /// The show as the main thread drives it; what it shows and logs.
  final class Show {
    var show: SlideShow
    let main: Mailbox<MainMessage>
    var pictures: [UInt32?] = []
    var lines: [String] = []

    init(_ folder: String) throws {
      main = try Mailbox()
      let configuration = try PadConfiguration(
        "[pad]\nslides = \(folder)\nslide-time = 5s", file: "f", models: Appliance.modelNames)
      show = try #require(SlideShow(configuration, main: main))
    }

    /// Lets time pass, and waits for the answer if there is one.
    func turn(at now: Int64) throws {
      show.turn(at: now, isResting: true)
      guard show.deadline(isResting: true) == nil else { return }
      var poll = Poll()
      poll.add(main.number)
      _ = try poll.wait(milliseconds: 60_000)
      let answers = main.takeAll()
      try #require(!answers.isEmpty)
      for case .slide(let answer) in answers {
        show.answered(answer) {
          lines.append($0)
        } show: {
          pictures.append($0?[20, 10])
        }
      }
    }
  }

  @Test func `pictures are shown in the order of their names, each for its time, and again`() throws
  {
    try put(png([0, 0, 255]), "b.png")
    try put(png([255, 0, 0]), "a.png")
    try put(png([0, 255, 0]), "c.PNG")
    try put(Array("notes".utf8), "notes.txt")
    try put(png([9, 9, 9]), "d.png")
    let show = try Show(folder.path)
    #expect(show.show.deadline(isResting: true) == nil)
    show.show.lit(screen)
    for turn in 0..<4 {
      try show.turn(at: Int64(turn) * 5 * second)
      // Nothing changes before its time.
      try show.turn(at: Int64(turn) * 5 * second + 4 * second)
      #expect(show.show.deadline(isResting: true) == Int64(turn + 1) * 5 * second)
    }
    #expect(show.pictures == [0xFFFF_0000, 0xFF00_00FF, 0xFF09_0909, 0xFFFF_0000])
    #expect(show.lines.isEmpty)
  }

  @Test func `changes of the folder are picked up`() throws {
    let show = try Show(folder.path)
    show.show.lit(screen)
    try show.turn(at: 0)
    try put(png([255, 0, 0]), "a.png")
    try show.turn(at: 5 * second)
    // The only picture is not read again until it is another one.
    try show.turn(at: 10 * second)
    try put(png([0, 0, 255]), "a.png")
    try show.turn(at: 15 * second)
    try put(png([0, 255, 0]), "b.png")
    try #require(unlink(folder.path + "/a.png") == 0)
    try show.turn(at: 20 * second)
    try #require(unlink(folder.path + "/b.png") == 0)
    try show.turn(at: 25 * second)
    #expect(show.pictures == [nil, 0xFFFF_0000, 0xFF00_00FF, 0xFF00_FF00, nil])
  }

  @Test func `a bad picture is skipped with one line in the log`() throws {
    try put(Array("no picture".utf8), "a.png")
    try put(png([0, 0, 255]), "b.png")
    try put(Array(png([255, 0, 0]).dropLast(20)), "c.png")
    try put(png([255, 0, 0]), "d.png")
    let show = try Show(folder.path)
    show.show.lit(screen)
    for turn in 0..<6 { try show.turn(at: Int64(turn) * 5 * second) }
    #expect(
      show.pictures == [
        0xFF00_00FF, 0xFFFF_0000, 0xFF00_00FF, 0xFFFF_0000, 0xFF00_00FF, 0xFFFF_0000,
      ])
    #expect(show.lines.count == 2, "\(show.lines)")
    #expect(show.lines.first?.hasPrefix("config: [pad] slides: \(folder.path)/a.png: ") == true)
    #expect(show.lines.last?.hasPrefix("config: [pad] slides: \(folder.path)/c.png: ") == true)
    #expect(show.lines.allSatisfy { $0.hasSuffix("; it is left out") })
    // Another bad file of the same name is another matter.
    try put(Array("still no picture".utf8), "a.png")
    for turn in 6..<9 { try show.turn(at: Int64(turn) * 5 * second) }
    #expect(show.lines.count == 3)
  }

  @Test func `a bad picture is not read again until it changes`() throws {
    try put(Array("no picture".utf8), "a.png")
    let (_, refused) = slides.next(after: nil, refused: [])
    #expect(refused.count == 1)
    // Whatever was said of the file stays: nobody has read it.
    let known = SlideFolder.Refusal(file: refused.first?.file, reason: "said before")
    #expect(slides.next(after: nil, refused: [known]).refused == [known])
    try put(Array("still no picture".utf8), "a.png")
    #expect(
      slides.next(after: nil, refused: [known]).refused.map(\.reason) == refused.map(\.reason))
    try #require(unlink(folder.path + "/a.png") == 0)
    #expect(slides.next(after: nil, refused: [known]).refused.isEmpty)
  }

  @Test func `many bad pictures are logged once each`() throws {
    for file in 0..<300 { try put(Array("no picture".utf8), "\(file).png") }
    let show = try Show(folder.path)
    show.show.lit(screen)
    for turn in 0..<3 { try show.turn(at: Int64(turn) * 5 * second) }
    #expect(show.lines.count == 300)
  }

  @Test func `a folder that cannot be read again is logged again, and its files are not`() throws {
    let show = try Show(folder.path + "/stick")
    try #require(mkdir(folder.path + "/stick", 0o755) == 0)
    try put(Array("no picture".utf8), "stick/a.png")
    show.show.lit(screen)
    for turn in 0..<6 {
      try show.turn(at: Int64(turn) * 5 * second)
      let (from, to) = turn % 2 == 0 ? ("stick", "away") : ("away", "stick")
      try #require(rename("\(folder.path)/\(from)", "\(folder.path)/\(to)") == 0)
    }
    #expect(
      show.lines.map { $0.contains("/stick: cannot be read: ") } == [false, true, true, true])
  }

  @Test func `another panel is not blanked`() throws {
    let show = try Show(folder.path)
    show.show.lit(screen)
    show.show.isBlanked = true
    show.show.lit(screen)
    #expect(show.show.deadline(isResting: true) == 0)
  }

  @Test func `a folder that is missing is logged once and may appear`() throws {
    let show = try Show(folder.path + "/none")
    show.show.lit(screen)
    for turn in 0..<3 { try show.turn(at: Int64(turn) * 5 * second) }
    #expect(show.lines.count == 1 && show.lines[0].contains("/none: cannot be read: "))
    try #require(mkdir(folder.path + "/none", 0o755) == 0)
    try put(png([255, 0, 0]), "none/a.png")
    try show.turn(at: 15 * second)
    #expect(show.pictures.last == .some(0xFFFF_0000))
  }

  @Test func `nothing is read while the pad is used or dark, or for a panel that has gone`() throws
  {
    try put(png([255, 0, 0]), "a.png")
    let show = try Show(folder.path)
    show.show.lit(screen)
    #expect(show.show.deadline(isResting: false) == nil)
    show.show.isBlanked = true
    #expect(show.show.deadline(isResting: true) == nil)
    show.show.isBlanked = false
    show.show.isVisible = false
    #expect(show.show.deadline(isResting: true) == nil)
    show.show.isVisible = true
    show.show.turn(at: 0, isResting: true)
    // The answer for the first panel comes after the second one is lit.
    show.show.lit(ScreenGeometry(width: 80, height: 40, scale: Scale(x: 4, y: 4)))
    try show.turn(at: 0)
    #expect(show.pictures.isEmpty)
    try show.turn(at: 0)
    #expect(show.pictures == [0xFFFF_0000])
  }

  @Test func `a picture of other proportions is whole, with the ground around it`() throws {
    let pixels = (0..<16).flatMap { _ in [255, 0, 0] as [UInt8] }
    try put(
      PNGFile.encode(pixels.span.bytes, as: PNGHeader(width: 4, height: 4, pixels: .rgb)), "a.png")
    guard case .picture(_, let picture) = slides.next(after: nil, refused: []).next else {
      Issue.record("there is no picture")
      return
    }
    #expect(picture.width == 40 && picture.height == 20)
    #expect(picture[20, 0] == 0xFFFF_0000 && picture[20, 19] == 0xFFFF_0000)
    #expect(picture[11, 10] == 0xFFFF_0000 && picture[28, 10] == 0xFFFF_0000)
    #expect(
      picture[8, 10] ?? 0xFFFF_FFFF == 0xFFFF_FFFF && picture[31, 10] ?? 0xFFFF_FFFF == 0xFFFF_FFFF)
  }
}
