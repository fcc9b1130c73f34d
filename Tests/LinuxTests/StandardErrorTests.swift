import CLinux
import Testing

@testable import Linux

@Suite struct StandardErrorTests {
  /// Calls the body with the descriptor of a pipe and what `JOURNAL_STREAM` would say of it.
  func withPipe(_ body: (_ descriptor: Int32, _ stream: String) throws -> Void) throws {
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    defer { for end in ends { close(end) } }
    var status = stat()
    try #require(fstat(ends[1], &status) == 0)
    try body(ends[1], "\(status.st_dev):\(status.st_ino)")
  }

  @Test func `a descriptor is the journal's if the variable names its device and inode`() throws {
    try withPipe { descriptor, stream in #expect(StandardError.isJournal(descriptor, stream)) }
  }

  @Test(arguments: [
    ("touch\u{1b}[2J \u{9b}1m", "touch\u{FFFD}[2J \u{FFFD}1m"), ("a\n<3>b", "a\u{FFFD}<3>b"),
    ("800 × 480, größer", "800 × 480, größer"),
  ])
  func `a line of the log has no control characters`(_ text: String, _ printed: String) {
    #expect(text.printable == printed)
  }

  @Test func `another stream, a closed descriptor and no variable are not the journal`() throws {
    try withPipe { descriptor, stream in
      try withPipe { other, _ in #expect(!StandardError.isJournal(other, stream)) }
      #expect(!StandardError.isJournal(descriptor, stream + "0"))
      #expect(!StandardError.isJournal(descriptor, ""))
      #expect(!StandardError.isJournal(descriptor, nil))
      #expect(!StandardError.isJournal(-1, stream))
    }
  }
}
