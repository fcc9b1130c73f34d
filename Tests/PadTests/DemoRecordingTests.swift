import Foundation
import Ink
import Pad
import SyntheticHand
import Testing

/// The recording that `make demo` plays is made here and nowhere else.
@Suite struct DemoRecordingTests {
  static let file = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../Fixtures/signature.evemu").standardized

  /// Set PARAPH_REGENERATE to write the file anew.
  @Test func `the committed recording is what the synthetic hand writes`() throws {
    let text = DemoRecording().text
    if ProcessInfo.processInfo.environment["PARAPH_REGENERATE"] != nil {
      try text.write(to: Self.file, atomically: true, encoding: .utf8)
    }
    #expect(try String(contentsOf: Self.file, encoding: .utf8) == text)
  }
}
