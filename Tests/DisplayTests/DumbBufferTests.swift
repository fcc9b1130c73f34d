import CLinux
import Linux
import Raster
import Testing

@testable import Display

@Suite struct DumbBufferTests {
  @Test func `a refused allocation names the call and its errno`() {
    #expect(throws: DisplayError.refused(.createDumbBuffer, Errno(EBADF))) {
      _ = try DumbBuffer(
        on: Card(unusable: -1), width: 8, height: 8, format: .xrgb8888)
    }
  }

  @Test func `a file that is no card is told apart from a missing one`() {
    #expect(throws: DisplayError.refused(.openCard, Errno(ENOENT))) {
      _ = try Card(opening: "/dev/dri/nothing")
    }
    #expect(throws: UnusedCard.renderOnly) { _ = try Card(opening: "/dev/null").survey() }
  }

  @Test func `without any card there is none`() {
    #expect(throws: DisplayError.noCard) {
      _ = try FoundPanel(OutputSelector(), in: "/nowhere/dri")
    }
  }
}
