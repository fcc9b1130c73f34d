import CLinux
import Linux
import Testing

@Suite struct FileDescriptorTests {
  @Test func `a missing file is refused with the kernel's reason`() {
    #expect(throws: Errno(ENOENT)) { _ = try FileDescriptor(opening: "/nowhere/at/all", O_RDONLY) }
  }
}
