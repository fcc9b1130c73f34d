import CLinux
import SpoolFixtures
import Testing

@testable import Linux

@Suite struct FileStatusTests {
  private let folder = TemporaryFolder()

  @Test func `paths are the same if they lead to the same file, by whatever way`() throws {
    let path = folder.path
    try #require(mkdir(path + "/a", 0o700) == 0 && mkdir(path + "/b", 0o700) == 0)
    try #require(symlink("a", path + "/link") == 0)
    #expect(FileStatus.areSame(path + "/a", path + "/a/"))
    #expect(FileStatus.areSame(path + "/a", path + "/link"))
    #expect(!FileStatus.areSame(path + "/a", path + "/b"))
  }

  @Test func `paths to nothing are the same but for slashes at the end`() {
    #expect(FileStatus.areSame("/none/a", "/none/a//"))
    #expect(FileStatus.areSame("/none", "/none"))
    #expect(!FileStatus.areSame("/none/a", "/none/b"))
    #expect(!FileStatus.areSame("/none", "/"))
  }
}
