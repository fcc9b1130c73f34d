import Linux
import SpoolFixtures
import Testing

/// paraphd as it runs on a board, asked by the varlink package, and by the tool as scripts use it.
@Suite struct PadProgramTests {
  @Test(arguments: ["Quiet", "Signed", "Shell", "Examples"])
  func `a program asks the pad, and what it is told is true`(_ part: String) throws {
    let tests = "/" + #filePath.split(separator: "/").dropLast(2).joined(separator: "/")
    let result = try Programs.run(
      path: tests + "/with-python.sh",
      [
        "varlink==31.0.0", tests + "/PadTests/Programs/varlink_test.py", Programs.path("paraphd"),
        part,
      ])
    #expect(result.end == .exit(0), "\(result.text)")
  }

  @Test func `a theme that cannot be shown ends the pad with 78, and one line says why`() throws {
    let folder = TemporaryFolder()
    let file = folder.path + "/paraphd.conf"
    func run(_ theme: String, _ arguments: [String]) throws -> Programs.Result {
      try ThemeFixtures.write(
        Array("[display]\ncard = memory\nsize = 71x53\n[theme]\n\(theme)\n".utf8), to: file)
      return try Programs.run("paraphd", ["-c", file] + arguments)
    }
    try ThemeFixtures.write(Array("GIF89a".utf8), to: folder.path + "/logo.png")
    for arguments in [["--check-config"], []] {
      let bad = try run("logo = \(folder.path)/logo.png", arguments)
      #expect(bad.end == .exit(78))
      #expect(bad.text == "config: [theme] logo: \(folder.path)/logo.png: not a PNG\n")
      let large = try run("button-height = 30", arguments)
      #expect(large.end == .exit(78))
      #expect(
        large.text == "config: [theme] button-height: on a glass of 71 × 53 mm less than half is"
          + " left to sign on: make it smaller, or auto\n")
    }
    let pale = try run("words = #999999", ["--check-config"])
    #expect(pale.end == .exit(0))
    #expect(pale.text.hasPrefix("config: [theme] words: #999999 on ground #ffffff has a contrast"))
    let good = try run("colours = dark\nbuttons = left", ["--check-config"])
    #expect(good.end == .exit(0) && good.text.isEmpty)
  }
}
