import Foundation

/// Readers of PNG that share no code with libpng's writer, as programs of their own.
enum IndependentReader {
  /// What a program says about a file. Nil, with a word on standard error, where it is not installed.
  static func run(_ program: String, _ arguments: [String], on file: [UInt8]) throws -> (
    status: Int32, output: String
  )? {
    guard FileManager.default.isExecutableFile(atPath: program) else {
      FileHandle.standardError.write(Data("skipped: \(program) is not installed\n".utf8))
      return nil
    }
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
  static func pngcheck(_ file: [UInt8]) throws -> (status: Int32, output: String)? {
    try run("/usr/bin/pngcheck", ["-v", "-t"], on: file)
  }

  /// The bytes of the rows in hexadecimal, unfiltered rows only, by Python's zlib.
  static func rows(_ file: [UInt8]) throws -> String? {
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
    return try run("/usr/bin/python3", ["-c", script], on: file)?.output
      .trimmingCharacters(in: .newlines)
  }
}

/// The bytes in hexadecimal, as the scripts print them.
func hexadecimal(_ bytes: [UInt8]) -> String {
  bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
}
