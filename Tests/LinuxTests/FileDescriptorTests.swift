import CLinux
import Linux
import Testing

@Suite struct FileDescriptorTests {
  @Test func `a missing file is refused with the kernel's reason`() {
    #expect(throws: Errno(ENOENT)) { _ = try FileDescriptor(opening: "/nowhere/at/all", O_RDONLY) }
  }

  @Test func `a part of a file is read from its place, and less at its end`() throws {
    let file = try FileDescriptor(memoryNamed: "test")
    try file.writeAll([1, 2, 3, 4, 5])
    #expect(try file.read(2, at: 1) == [2, 3])
    #expect(try file.read(3, at: 3) == [4, 5])
    #expect(try file.read(3, at: 5).isEmpty && file.read(0, at: 1).isEmpty)
    // What is written next follows what was written last.
    try file.writeAll([6])
    #expect(try file.read(9, at: 0) == [1, 2, 3, 4, 5, 6])
  }

  @Test func `a folder has no part that can be read`() throws {
    let folder = try FileDescriptor(opening: "/", O_RDONLY)
    #expect(throws: Errno(EISDIR)) { _ = try folder.read(1, at: 0) }
  }
}
