import CLinux
import SpoolFixtures
import Testing

@testable import Configuration

@Suite struct PathCheckTests {
  private let folder = TemporaryFolder()

  @Test(arguments: ["", "/", "//"])
  func `a folder can be made in one that can be written, whatever slashes end its path`(
    end: String
  ) {
    #expect(PathCheck.makeable("\(folder.path)/new\(end)") == nil)
    #expect(PathCheck.makeable(folder.path + end) == nil)
  }

  @Test func `a folder whose parent does not exist may be made later, and a file is none`() throws {
    let missing = try #require(PathCheck.makeable("\(folder.path)/none/new"))
    #expect(missing.severity == .warning)
    #expect(
      missing.reason.hasPrefix("\(folder.path)/none/new cannot be created: \(folder.path)/none"))
    try Fixtures.write("\(folder.path)/file", [])
    let file = try #require(PathCheck.makeable("\(folder.path)/file"))
    #expect(file.severity == .error && file.reason == "\(folder.path)/file is not a folder")
  }
}
