internal import Ink
internal import Touch

/// The journal's encoding of strokes: a record for each sample and for the end of each stroke.
///
/// A record has 24 bytes, little-endian: kind, three bytes of the caller, x, y and pressure (Float), time (Int64).
enum StrokeRecords {
  /// The kind of a record.
  enum Kind: UInt8 {
    case begins = 1
    case goesOn
    case goesOnAfterGap
    case ends
    /// The last stroke was removed.
    case takenBack

    /// Nil: all ink was wiped.
    init?(_ step: GlassContact) {
      switch step.phase {
      case .down: self = .begins
      case .move: self = step.isAfterGap ? .goesOnAfterGap : .goesOn
      case .up: self = .ends
      case .cancel:
        guard step.isMistake else { return nil }
        self = .takenBack
      }
    }
  }

  /// The size of a record in bytes.
  static let size = 24

  /// Encodes a record, with zeros for the caller's bytes.
  static func append(_ kind: Kind, _ sample: Sample, to bytes: inout [UInt8]) {
    bytes.append(kind.rawValue)
    for _ in 0..<3 { bytes.append(0) }
    append(sample.position.x.bitPattern, to: &bytes)
    append(sample.position.y.bitPattern, to: &bytes)
    append(sample.pressure.bitPattern, to: &bytes)
    append(UInt64(bitPattern: sample.time), to: &bytes)
  }

  private static func append(_ value: some FixedWidthInteger, to bytes: inout [UInt8]) {
    unsafe withUnsafeBytes(of: value.littleEndian) { unsafe bytes.append(contentsOf: $0) }
  }

  /// Calls `body` for each record of strokes.
  ///
  /// - Parameter isLastOpen: Whether the last stroke goes on: it has no end.
  static func forEach(
    of strokes: [Stroke], isLastOpen: Bool = false, _ body: (Kind, Sample) -> Void
  ) {
    for (place, stroke) in strokes.enumerated() {
      for (index, sample) in stroke.samples.enumerated() {
        body(
          index == 0 ? .begins : stroke.gaps.contains(index) ? .goesOnAfterGap : .goesOn, sample)
      }
      if isLastOpen, place == strokes.count - 1 { continue }
      if let last = stroke.samples.last { body(.ends, last) }
    }
  }

  /// Encodes whole strokes.
  static func bytes(of strokes: [Stroke]) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(strokes.reduce(0) { $0 + size * ($1.samples.count + 1) })
    forEach(of: strokes) { append($0, $1, to: &bytes) }
    return bytes
  }

  /// Decodes strokes, up to the first invalid record. An unfinished stroke ends at its last sample.
  static func strokes(_ bytes: ArraySlice<UInt8>) -> [Stroke] {
    var ink = JournaledInk()
    var start = bytes.startIndex
    while start + size <= bytes.endIndex {
      guard let kind = Kind(rawValue: bytes[start]), let sample = sample(bytes, at: start) else {
        break
      }
      ink.apply(kind, sample)
      start += size
    }
    return ink.strokes
  }

  /// Decodes the sample of the record at `start`; nil: its numbers are invalid.
  static func sample(_ bytes: ArraySlice<UInt8>, at start: Int) -> Sample? {
    func word(_ offset: Int) -> UInt32 {
      (0..<4).reduce(0) { $0 | UInt32(bytes[start + offset + $1]) << (8 * UInt32($1)) }
    }
    let (x, y) = (Float(bitPattern: word(4)), Float(bitPattern: word(8)))
    let pressure = Float(bitPattern: word(12))
    guard x.isFinite, y.isFinite, pressure.isFinite else { return nil }
    let time = Int64(truncatingIfNeeded: UInt64(word(16)) | UInt64(word(20)) << 32)
    // Differences of these times do not overflow.
    guard (0...(1 << 62)).contains(time) else { return nil }
    return Sample(time: time, position: Point(x, y), pressure: pressure)
  }
}

/// The strokes that a sequence of records draws.
struct JournaledInk: Sendable {
  private(set) var strokes: [Stroke] = []
  /// Whether the last stroke is unfinished.
  private(set) var isDrawing = false

  /// Applies a record. Ignores a sample of a stroke whose begin was lost.
  mutating func apply(_ kind: StrokeRecords.Kind, _ sample: Sample) {
    switch kind {
    case .begins:
      strokes.append(Stroke([sample]))
      isDrawing = true
    case .goesOn, .goesOnAfterGap:
      guard isDrawing else { return }
      let last = strokes.count - 1
      if kind == .goesOnAfterGap { strokes[last].gaps.append(strokes[last].samples.count) }
      strokes[last].samples.append(sample)
    case .ends: isDrawing = false
    case .takenBack:
      if !strokes.isEmpty { strokes.removeLast() }
      isDrawing = false
    }
  }
}
