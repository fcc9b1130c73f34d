import Foundation
import Testing

/// Readers of PNG that share no code with libpng's writer, as programs of their own.
enum IndependentReader {
  /// Whether they are installed.
  static let areThere = [pngcheck, python].allSatisfy(FileManager.default.isExecutableFile)

  private static let pngcheck = "/usr/bin/pngcheck"
  private static let python = "/usr/bin/python3"

  /// What a program says about a file.
  private static func run(_ program: String, _ arguments: [String], on file: [UInt8]) throws -> (
    status: Int32, output: String
  ) {
    let path = NSTemporaryDirectory() + "paraph-\(UUID().uuidString).png"
    try Data(file).write(to: URL(fileURLWithPath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments + [path]
    let output = Pipe()
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let said = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: said, as: UTF8.self))
  }

  /// Every chunk's CRC, the zlib stream and its length, by pngcheck.
  static func check(_ file: [UInt8]) throws -> (status: Int32, output: String) {
    try run(pngcheck, ["-v", "-t"], on: file)
  }

  /// The bytes of the rows in hexadecimal, unfiltered rows only, by Python's zlib.
  static func rows(_ file: [UInt8]) throws -> String {
    let script = """
      import struct, sys, zlib
      file = open(sys.argv[1], 'rb').read()
      place, data, size = 8, b'', None
      while place < len(file):
          length, kind = struct.unpack('>I4s', file[place:place + 8])
          if kind == b'IHDR': size = struct.unpack('>II', file[place + 8:place + 16])
          if kind == b'IDAT': data += file[place + 8:place + 8 + length]
          place += 12 + length
      rows = zlib.decompress(data)
      row = len(rows) // size[1]
      assert all(rows[n * row] == 0 for n in range(size[1])), 'a row is filtered'
      print(b''.join(rows[n * row + 1:(n + 1) * row] for n in range(size[1])).hex())
      """
    return try run(python, ["-c", script], on: file).output
      .trimmingCharacters(in: .newlines)
  }
}

extension Trait where Self == ConditionTrait {
  /// Skips a test where the readers are not installed.
  static var needsIndependentReaders: Self {
    .enabled(if: IndependentReader.areThere, "needs pngcheck and python3")
  }
}

/// The bytes in hexadecimal, as the scripts print them.
func hexadecimal(_ bytes: [UInt8]) -> String {
  bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
}
