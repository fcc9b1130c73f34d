import CLinux
import Configuration
import Spool
import SpoolFixtures
import Testing

@testable import Handoff

/// What stands in topics, keys, addresses and headers for a pad and its signatures.
@Suite struct DeviceNamesTests {
  let folder = TemporaryFolder()
  let manifest: Manifest

  init() throws {
    let text = """
      {"id": "0192f0c1-2d3e-7a4b-8c5d-6e7f80910203", "sequence": 42, "time": "2026-11-21T05:02:57.123Z",
       "clock_synchronized": true, "reference": "a/../+#\\r\\n", "device": "till", "panel": "DSI-1", "width": 40,
       "height": 20, "dpi": 300, "strokes": 3, "files": {"signature.png": "\(String(repeating: "a", count: 64))"}}
      """
    manifest = try Manifest(Array(text.utf8))
  }

  func machine(_ files: [(String, String)]) throws -> MachineID {
    for folder in [
      "/etc", "/sys", "/sys/firmware", "/sys/firmware/devicetree", "/sys/firmware/devicetree/base",
    ] {
      mkdir(self.folder.path + folder, 0o755)
    }
    for (name, text) in files { try Fixtures.write(folder.path + name, Array(text.utf8)) }
    return MachineID(root: folder.path)
  }

  func template(_ parts: [Template.Part]) -> Template { Template(parts: parts) }

  @Test func `every placeholder of a signature is filled, and safe where it goes`() throws {
    let names = DeviceNames(
      nil, machine: try machine([("/etc/machine-id", "\(String(repeating: "0a", count: 16))\n")]),
      host: "counter")
    func text(_ place: Template.Place, _ escape: (String) -> String = { $0 }) -> String {
      names.text(template([.place(place)]), for: manifest, escape: escape)
    }
    #expect(text(.id) == "0192f0c1-2d3e-7a4b-8c5d-6e7f80910203" && text(.sequence) == "42")
    #expect(
      text(.date) == "2026-11-21" && text(.year) == "2026" && text(.month) == "11"
        && text(.day) == "21")
    #expect(text(.device) == "till" && text(.host) == "counter" && text(.machine).utf8.count == 12)
    #expect(
      text(.width) == "40" && text(.height) == "20" && text(.strokes) == "3"
        && text(.panel) == "DSI-1")
    // printf 'a/../+#\r\n' | sha256sum
    #expect(
      text(.referenceDigest) == "04271f106f80d7d30ec6d6bfdfda66badbeaf75c683775e7b315410dec3b01ba")
    #expect(text(.reference, Escape.plain) == "a_.._____")
    #expect(text(.reference, Escape.percentEncoded) == "a%2F__%2F%2B%23%0D%0A")
    #expect(text(.reference, Escape.header) == "a/../+#%0D%0A")
    #expect(text(.documentDigest, Escape.plain) == "_")
  }

  @Test func `the name is the configured one, else the host name, else the machine's`() throws {
    let machine = try machine([
      ("/etc/machine-id", "\(String(repeating: "0a", count: 16))\n"),
      ("/sys/firmware/devicetree/base/serial-number", "10000000abcdef01\0"),
    ])
    let configured = template([.text("pad-"), .place(.serial)])
    #expect(DeviceNames(configured, machine: machine, host: "h").name == "pad-10000000abcdef01")
    #expect(DeviceNames(nil, machine: machine, host: "h").name == "h")
    #expect(DeviceNames(nil, machine: machine, host: "localhost").name == machine.text)
    let names = DeviceNames(configured, machine: machine, host: "h")
    #expect(names.text(template([.place(.device)]), for: manifest) { $0 } == "pad-10000000abcdef01")
  }

  @Test func `without a configured name, signatures have the manifest's, the status the host's`()
    throws
  {
    let topic = template([.text("paraph/"), .place(.device)])
    let machine = try machine([])
    let names = DeviceNames(nil, machine: machine, host: "counter")
    #expect(names.text(topic, for: manifest) { $0 } == "paraph/till")
    #expect(names.text(topic) { $0 } == "paraph/counter" && names.name == "counter")
    let configured = DeviceNames(template([.text("pad")]), machine: machine, host: "counter")
    #expect(configured.text(topic, for: manifest) { $0 } == "paraph/pad")
    #expect(configured.text(topic) { $0 } == "paraph/pad" && configured.name == "pad")
  }

  @Test func `a machine is told by a hash of its id, else of its serial number, never by the id`()
    throws
  {
    let digits = String(repeating: "0a", count: 16)
    let first = try machine([("/etc/machine-id", "\(digits)\n")])
    #expect(first == MachineID(root: folder.path) && !digits.contains(first.text))
    let other = try machine([("/etc/machine-id", "\(String(repeating: "0b", count: 16))\n")])
    #expect(other.text != first.text)
    // An image before its first boot.
    let serial = try machine([
      ("/etc/machine-id", "uninitialized\n"),
      ("/sys/firmware/devicetree/base/serial-number", "17\0"),
    ])
    #expect(serial == MachineID(root: folder.path) && serial.serial == "17" && serial.text != "17")
    // Neither: random, and so another one each time.
    let none = try machine([("/sys/firmware/devicetree/base/serial-number", "0000\0")])
    #expect(none != MachineID(root: folder.path) && none.serial == none.text)
  }
}
