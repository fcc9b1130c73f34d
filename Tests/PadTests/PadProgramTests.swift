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
}
