/// The kinds of recordings, told by what is in the file.
enum RecordingFormat {
  case evemu, libinput, handwriting

  /// Looks at the first line that says something; nil if it is none of the three.
  init?(_ bytes: [UInt8]) {
    var lines = TextLines(bytes)
    while var line = lines.next() {
      line.skipBlanks()
      guard let first = line.peek else { continue }
      if first == UInt8(ascii: "#") {
        if line.starts(with: "# EVEMU") {
          self = .evemu
          return
        }
        if line.starts(with: "# libinput record") {
          self = .libinput
          return
        }
        continue
      }
      guard let format = RecordingFormat(line) else { return nil }
      self = format
      return
    }
    return nil
  }

  private init?(_ line: FieldCursor) {
    var number = line
    if number.integer() != nil && number.isAtEnd {
      self = .handwriting
    } else if RecordingFormat.evemuWords.contains(where: { line.starts(with: $0) }) {
      self = .evemu
    } else if RecordingFormat.libinputWords.contains(where: { line.starts(with: $0) }) {
      self = .libinput
    } else {
      return nil
    }
  }

  private static var evemuWords: [StaticString] { ["E:", "N:", "I:", "P:", "B:", "A:"] }

  private static var libinputWords: [StaticString] {
    ["---", "%YAML", "version:", "ndevices:", "libinput:", "system:", "devices:"]
  }
}
