import CLinux
import Linux
import Testing

@testable import Touch

@Suite struct EventNodesTests {
  @Test(arguments: [
    ("event0", 0), ("event17", 17), ("event", nil), ("eventx", nil), ("mouse0", nil),
    ("event99999999", nil),
  ]) func `nodes are recognised by their names`(name: String, number: Int?) {
    #expect(EventNodes.number(name) == number)
  }

  @Test func `a device's properties are those of udev's database`() throws {
    var name = Array("/tmp/paraph-udev-XXXXXX".utf8CString)
    let made = mkdtemp(&name) != nil
    try #require(made)
    let folder = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    defer { rmdir(folder) }
    // /dev/null is 1:3 everywhere.
    let path = "\(folder)/c1:3"
    let file = try FileDescriptor(opening: path, O_WRONLY | O_CREAT, mode: 0o600)
    defer { unlink(path) }
    try file.writeAll(
      "S:input/by-path/x\nE:ID_INPUT=1\nE:LIBINPUT_CALIBRATION_MATRIX=0 1 0 -1 0 1\nG:x\n")
    let properties = EventNodes.properties(of: "/dev/null", in: folder)
    #expect(properties["ID_INPUT"] == "1")
    #expect(properties["LIBINPUT_CALIBRATION_MATRIX"] == "0 1 0 -1 0 1")
    #expect(properties["S"] == nil)
    #expect(EventNodes.properties(of: "/dev/zero", in: folder) == UdevProperties())
  }
}
