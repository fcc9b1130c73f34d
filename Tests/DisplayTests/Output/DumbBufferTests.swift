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
}
