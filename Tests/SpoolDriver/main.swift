import CLinux
import Linux
import Spool

/// Publishes signatures as paraphd's save thread does, for tests with kills, faults and traces.
/// usage: spool-driver SPOOL COUNT [BYTES]
/// Prints the id of each acknowledged signature. Exits with 74 if one is not saved.

let arguments = CommandLine.arguments
guard arguments.count >= 3, let count = Int(arguments[2]) else { exit(EX_USAGE) }
let padding = arguments.count > 3 ? Int(arguments[3]) ?? 0 : 0

func picture() -> [UInt8] {
  func number(_ value: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }
  func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
    number(content.count) + Array(type.utf8) + content + [0, 0, 0, 0]
  }
  let mark: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
  return mark + chunk("IHDR", number(40) + number(20) + [8, 0, 0, 0, 0])
    + chunk("IDAT", [UInt8](repeating: 7, count: 400 + padding)) + chunk("IEND", [])
}

func publish(_ publisher: inout Publisher) throws(SpoolError) -> Manifest {
  try publisher.checkCapacity(SpoolLimits(minimumFree: 0))
  var draft = try publisher.begin()
  try draft.write(.png, picture())
  return try draft.publish(
    Draft.Description(
      reference: "parcel", device: "driver", panel: "none", width: 40, height: 20, dpi: 300,
      strokes: 1))
}

func run() throws(SpoolError) {
  var publisher = Publisher(at: arguments[1])
  _ = try publisher.prepare()
  for _ in 0..<count {
    let manifest = try publish(&publisher)
    let line = Array("\(manifest.id.text) \(manifest.sequence)\n".utf8)
    _ = write(1, line, line.count)
    publisher.syncChain()
  }
}

do throws(SpoolError) {
  try run()
} catch {
  StandardError.write("\(error.text)\n")
  exit(EX_IOERR)
}
