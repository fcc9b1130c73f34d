import CLinux
import Linux
import Testing

@testable import Control

@Suite struct InterfaceDescriptionTests {
  @Test func `the daemon answers with the file that is installed`() throws {
    let root = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    let file = try FileDescriptor(
      opening: root + "/config/org.paraph.Pad.varlink", O_RDONLY
    ).readAll(limit: 1 << 16)
    let text = String(decoding: try #require(file), as: UTF8.self)
    #expect(InterfaceDescription.text(of: "org.paraph.Pad") == text)
  }
}
