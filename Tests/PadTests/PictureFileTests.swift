import CLinux
import Screen
import ScreenFixtures
import SpoolFixtures
import Testing

@testable import Pad

@Suite struct PictureFileTests {
  let folder = TemporaryFolder()

  func reason(_ path: String) -> String? {
    do throws(PictureReadError) {
      _ = try PictureFile.read(path, limit: 8 << 20)
      return nil
    } catch { return error.reason }
  }

  @Test func `a file that is missing, or is a folder, cannot be read`() {
    #expect(reason("/nowhere/a.png") == "cannot be read: No such file or directory")
    #expect(reason(folder.path) == "cannot be read: Is a directory")
  }

  @Test func `a device without an end is too large, and a FIFO without a writer is empty`() throws {
    #expect(reason("/dev/zero") == "is larger than 8 MiB")
    let fifo = folder.path + "/fifo"
    #expect(mkfifo(fifo, 0o600) == 0)
    #expect(try PictureFile.read(fifo, limit: 1).isEmpty)
  }

  @Test func `a file is read up to the limit`() throws {
    let path = folder.path + "/logo.png"
    try ThemeFixtures.write([1, 2, 3], to: path)
    #expect(try PictureFile.read(path, limit: 3) == [1, 2, 3])
    #expect(throws: PictureReadError.self) { _ = try PictureFile.read(path, limit: 2) }
  }
}
