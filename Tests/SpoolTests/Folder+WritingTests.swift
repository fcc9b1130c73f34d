import Linux
import SpoolFixtures
import Testing

@testable import Spool

@Suite struct FolderWritingTests {
  let folder = TemporaryFolder()

  @Test func `a file replaces a folder of its name with all that is in it`() throws {
    let place = try Folder(folder.path)
    for name in ["record", "record.new"] {
      let other = try place.makeFolder(name, mode: 0o755)
      try other.writeFile("own", [1])
    }
    try place.replaceFile("record", [2, 3], synced: true)
    #expect(try Fixtures.read(folder.path + "/record") == [2, 3])
    #expect(try place.names() == ["record"])
  }
}
