import Linux
import SpoolFixtures
import Testing

/// paraphd as it runs on a board, asked by the varlink package, and by the tool as scripts use it.
@Suite struct PadProgramTests {
  @Test(arguments: ["Quiet", "Signed", "Shell", "Examples"])
  func `a program asks the pad, and what it is told is true`(_ part: String) throws {
    let folder = "/" + #filePath.split(separator: "/").dropLast().joined(separator: "/")
    let result = try Programs.run(
      path: folder + "/Programs/with-varlink.sh",
      ["varlink_test.py", Programs.path("paraphd"), part])
    #expect(result.end == .exit(0), "\(result.text)")
  }
}
