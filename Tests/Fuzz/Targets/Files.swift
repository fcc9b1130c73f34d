#if DEBUG
  import CLinux
  import Configuration
  import Ink
  import JSON
  import PNG
  import Signature
  import Text
  import Touch

  @testable import Control
  @testable import Display
  @testable import Pad
  @testable import Raster
  @testable import Spool

  /// Files that persons, other programs and earlier versions write.
  extension FuzzTarget {
    static let files = [
      FuzzTarget(name: "configuration", run: configuration),
      FuzzTarget(name: "strokes", run: strokes),
      FuzzTarget(name: "manifest", run: manifest),
      FuzzTarget(name: "records", run: records),
      FuzzTarget(name: "journal", run: journal),
      FuzzTarget(name: "picture", run: picture),
      FuzzTarget(name: "catalogue", run: catalogue),
      FuzzTarget(name: "edid", run: edid),
      FuzzTarget(name: "sysfs", run: sysfs),
    ]

    /// Each error is a line that names the file.
    @Sendable private static func configuration(_ bytes: [UInt8]) -> String? {
      let text = String(decoding: bytes, as: UTF8.self)
      var lines: [String] = []
      let models = StrokeModel.Kind.allCases.map { $0.rawValue }
      do throws(ConfigurationError) {
        _ = try PadConfiguration(text, file: "f.conf", models: models)
      } catch { lines += error.lines }
      do throws(ConfigurationError) {
        _ = try HandoffConfiguration(text, file: "f.conf")
      } catch { lines += error.lines }
      do throws(ConfigurationError) {
        _ = try WebConfiguration(text, file: "f.conf")
      } catch { lines += error.lines }
      for line in lines {
        if !line.isOneLine { return "an error is no line: \(line.debugDescription)" }
        if !line.utf8.starts(with: "f.conf".utf8) { return "an error names no file: \(line)" }
        if line.utf8.count > 1000 { return "an error has \(line.utf8.count) bytes" }
      }
      return nil
    }

    /// What is read is written with the same numbers, and drawn.
    @Sendable private static func strokes(_ bytes: [UInt8]) -> String? {
      let strokes: RecordedStrokes
      do throws(ValidationError) { strokes = try RecordedStrokes(bytes) } catch {
        return "\(error)".isEmpty ? "no reason" : nil
      }
      guard let again = try? RecordedStrokes(strokes.bytes) else { return "its text is invalid" }
      // A pressure that no device reports is written as none.
      if again.bytes != strokes.bytes { return "its text has other numbers" }
      guard strokes.strokes.reduce(0, { $0 + $1.samples.count }) < 200 else { return nil }
      for kind in StrokeModel.Kind.allCases {
        if let fault = DrawnFuzz(strokes.strokes, kind).fault { return fault }
      }
      return nil
    }

    @Sendable private static func manifest(_ bytes: [UInt8]) -> String? {
      let manifest: Manifest
      do throws(ValidationError) { manifest = try Manifest(bytes) } catch { return nil }
      guard let again = try? Manifest(manifest.bytes) else { return "its text is invalid" }
      return again == manifest ? nil : "its text has other values"
    }

    /// The records of sinks, and those of retention.
    @Sendable private static func records(_ bytes: [UInt8]) -> String? {
      if let state = SinkState(bytes), SinkState(state.bytes) != state {
        return "a state's text has other values"
      }
      if let stamp = RetentionStamp(bytes) {
        if RetentionStamp(stamp.bytes) != stamp { return "a stamp's text has other values" }
        _ = stamp.isOlder(
          than: .max / 2, at: .init(accumulatedUptime: .max / 2, wall: .max / 2, synchronized: true)
        )
      }
      return nil
    }

    /// The recovered state, written anew, is recovered again.
    @Sendable private static func journal(_ bytes: [UInt8]) -> String? {
      if let fault = fault(ofJournal: bytes) ?? fault(ofJournal: checked(bytes)) { return fault }
      _ = JournaledSignature.decode(bytes[...])
      _ = JournaledRequest.decode(bytes)
      _ = JournaledContent.decode(bytes)
      return nil
    }

    private static func fault(ofJournal bytes: [UInt8]) -> String? {
      let state = RecoveredState(bytes)
      let journal = state.journal()
      let again = RecoveredState(journal)
      if again.journal() != journal { return "the journal of the state has another state" }
      if again.strokes != state.strokes { return "the journal of the state has other strokes" }
      if state.isDone && state.strokes.isEmpty { return "done without ink" }
      if state.signed.count > InkJournal.signedLimit { return "too many signatures" }
      return nil
    }

    /// Records with the checksums that they should have: no mutation finds those.
    ///
    /// An input's record is a kind, for ink 20 bytes, for others a size of 16 bits and the content.
    private static func checked(_ bytes: [UInt8]) -> [UInt8] {
      var input = FuzzBytes(bytes)
      var journal: [UInt8] = []
      while !input.isEmpty {
        let kind = input.byte()
        var content: [UInt8]
        if (1...5).contains(kind) {
          content = input.take(20)
          content += [UInt8](repeating: 0, count: 20 - content.count)
        } else {
          let size = Int(input.byte()) << 8 | Int(input.byte())
          let text = input.take(size)
          content = (0..<4).map { UInt8(text.count >> (8 * $0) & 0xff) } + text
        }
        var sum: UInt32 = 0xb7_04ce
        for byte in [kind] + content {
          sum ^= UInt32(byte) << 16
          for _ in 0..<8 { sum = sum << 1 & 0xff_ffff ^ (sum & 0x80_0000 == 0 ? 0 : 0x86_4cfb) }
        }
        journal += [kind] + (0..<3).map { UInt8(sum >> UInt32(8 * $0) & 0xff) } + content
      }
      return journal
    }

    /// A theme's picture is decoded whole, in rows and scaled; a document's page is checked in parts.
    @Sendable private static func picture(_ bytes: [UInt8]) -> String? {
      let limit = 1 << 18
      let whole = try? PNGFile.decode(bytes, pixelLimit: limit)
      if let whole, whole.width * whole.height > limit { return "too many pixels" }
      var rows = 0
      let isRead =
        (try? PNGFile.read(bytes, pixelLimit: limit) { (picture) throws(PNGError) -> Void in
          var row: [UInt8] = []
          for _ in 0..<picture.height {
            try picture.next(into: &row)
            rows += 1
          }
        }) != nil
      if isRead != (whole != nil) { return "whole \(whole != nil), in rows \(isRead)" }
      _ = try? PNGFile.read(bytes, pixelLimit: limit) { (picture) throws(PNGError) -> Void in
        let columns = Resampling(
          source: picture.width, start: 0, length: Float(picture.width), target: 7)
        let lines = Resampling(
          source: picture.height, start: 0, length: Float(picture.height), target: 5)
        try picture.scaled(columns, lines) { _, _ in }
      }
      do throws(PNGError) {
        var check = try PNGCheck(.init(pixels: limit, interlaced: limit, side: 4096))
        for start in stride(from: 0, to: bytes.count, by: 61) {
          try check.add(bytes[start..<min(start + 61, bytes.count)].span)
        }
      } catch {}
      return nil
    }

    @Sendable private static func catalogue(_ bytes: [UInt8]) -> String? {
      do throws(MessageCatalogue.Refusal) {
        _ = try MessageCatalogue(bytes)
        return nil
      } catch { return error.reason.isOneLine ? nil : "the reason is no line" }
    }

    @Sendable private static func edid(_ bytes: [UInt8]) -> String? {
      // Mutations rarely have the right sum.
      var block = bytes
      if block.count >= 128 {
        block[127] = 0 &- block.prefix(127).reduce(0, &+)
      }
      for bytes in [bytes, block] {
        guard let edid = EDID(bytes) else { continue }
        if let size = edid.size, !(size.width > 0 && size.height > 0) { return "no size" }
        if !edid.name.isEmpty && !edid.name.isOneLine { return "the name is no line" }
      }
      return nil
    }

    /// The files of a card's connector, of a backlight, and a device's record in udev's database.
    @Sendable private static func sysfs(_ bytes: [UInt8]) -> String? {
      let folder = FuzzFolder.shared
      var bytes = FuzzBytes(bytes)
      for name in ["status", "modes", "edid"] {
        folder.write("drm/card0-HDMI-A-1/\(name)", bytes.take(Int(bytes.byte())))
      }
      for name in ["max_brightness", "bl_power"] {
        folder.write("backlight/panel/\(name)", bytes.take(Int(bytes.byte() & 31)))
      }
      let cards = SysfsCard.all(in: folder.path + "/drm")
      if cards.count != 1 { return "\(cards.count) cards" }
      let backlight = Backlight(named: nil, in: folder.path + "/backlight")
      _ = backlight?.isOff
      var properties = UdevProperties()
      for line in bytes.takeAll().split(separator: UInt8(ascii: "\n")) {
        properties.add(String(decoding: line, as: UTF8.self))
      }
      _ = properties
      return nil
    }
  }
#endif
