internal import Ink
internal import Touch

/// The journal's records of strokes: those in the file, and those to be appended.
///
/// A record has 24 bytes, little-endian: kind, three zeros, x, y and pressure (Float), time (Int64). Removed strokes
/// are in neither part, so that a journal is no larger than the pad's store.
struct StrokeRecords {
  /// The kind of a record.
  enum Kind: UInt8 {
    case begins = 1
    case goesOn
    case goesOnAfterGap
    case ends
    /// The last stroke was removed. Only earlier versions write it.
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

  /// The number of first bytes of the file that remain valid.
  private(set) var kept = 0
  /// The bytes to append to them.
  private(set) var new: [UInt8] = []
  /// The offset at which each stroke begins.
  private var beginnings: [Int] = []

  /// The records of strokes, all of them new.
  init(_ strokes: [Stroke] = []) { add(strokes) }

  /// Adds a step of the ink.
  mutating func add(_ step: GlassContact) {
    switch Kind(step) {
    case nil: removeAll()
    case .takenBack?: if let beginning = beginnings.popLast() { cut(to: beginning) }
    case let kind?:
      if kind == .begins { beginnings.append(kept + new.count) }
      append(kind, step.sample)
    }
  }

  /// Adds whole strokes.
  mutating func add(_ strokes: [Stroke]) {
    for stroke in strokes {
      for (index, sample) in stroke.samples.enumerated() {
        add(
          GlassContact(
            index == 0 ? .down : .move, sample, isAfterGap: stroke.gaps.contains(index)))
      }
      if let last = stroke.samples.last { add(GlassContact(.up, last)) }
    }
  }

  /// Marks the new records as written.
  mutating func areWritten() {
    kept += new.count
    new = []
  }

  /// Removes all records.
  mutating func removeAll() {
    cut(to: 0)
    beginnings = []
  }

  private mutating func cut(to size: Int) {
    new.removeLast(min(new.count, kept + new.count - size))
    kept = min(kept, size)
  }

  private mutating func append(_ kind: Kind, _ sample: Sample) {
    new += [kind.rawValue, 0, 0, 0]
    for value in [sample.position.x, sample.position.y, sample.pressure] {
      unsafe withUnsafeBytes(of: value.bitPattern.littleEndian) {
        unsafe new.append(contentsOf: $0)
      }
    }
    unsafe withUnsafeBytes(of: sample.time.littleEndian) { unsafe new.append(contentsOf: $0) }
  }

  /// Decodes strokes, up to the first invalid record. An unfinished stroke ends at its last sample.
  static func strokes(_ bytes: [UInt8]) -> [Stroke] {
    var strokes: [Stroke] = []
    var isDrawing = false
    var start = 0
    while start + size <= bytes.count {
      guard let kind = Kind(rawValue: bytes[start]), let sample = sample(bytes, at: start) else {
        break
      }
      start += size
      switch kind {
      case .begins:
        strokes.append(Stroke([sample]))
        isDrawing = true
      case .goesOn, .goesOnAfterGap:
        guard isDrawing else { return strokes }
        let last = strokes.count - 1
        if kind == .goesOnAfterGap { strokes[last].gaps.append(strokes[last].samples.count) }
        strokes[last].samples.append(sample)
      case .ends: isDrawing = false
      case .takenBack:
        if !strokes.isEmpty { strokes.removeLast() }
        isDrawing = false
      }
    }
    return strokes
  }

  private static func sample(_ bytes: [UInt8], at start: Int) -> Sample? {
    func word(_ offset: Int) -> UInt32 {
      (0..<4).reduce(0) { $0 | UInt32(bytes[start + offset + $1]) << (8 * UInt32($1)) }
    }
    let numbers = [4, 8, 12].map { Float(bitPattern: word($0)) }
    guard numbers.allSatisfy({ $0.isFinite }) else { return nil }
    let time = Int64(truncatingIfNeeded: UInt64(word(16)) | UInt64(word(20)) << 32)
    // Differences of these times do not overflow.
    guard (0...(1 << 62)).contains(time) else { return nil }
    return Sample(
      time: time, position: Point(numbers[0], numbers[1]), pressure: numbers[2])
  }
}
