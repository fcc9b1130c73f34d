internal import Ink
internal import Touch

/// The records of the strokes on the glass: those that the journal's file has, and those that it is to get.
/// What was taken back or wiped is in neither, so that no journal is larger than what a pad keeps.
struct InkRecords {
  /// Of the file, from its start: what stays in it.
  private(set) var kept = 0
  /// What follows that.
  private(set) var new: [UInt8] = []
  /// Where each stroke begins.
  private var beginnings: [Int] = []

  /// Of strokes that are not written.
  init(_ strokes: [Stroke] = []) { add(strokes) }

  /// Takes a step of the ink.
  mutating func add(_ step: GlassContact) {
    switch InkJournal.Kind(step) {
    case nil: removeAll()
    case .takenBack?: if let beginning = beginnings.popLast() { cut(to: beginning) }
    case let kind?:
      if kind == .begins { beginnings.append(kept + new.count) }
      append(kind, step.sample)
    }
  }

  /// Takes whole strokes.
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

  /// The file has no more than `kept`, and then `new`.
  mutating func areWritten() {
    kept += new.count
    new = []
  }

  /// Nothing is on the glass.
  mutating func removeAll() {
    cut(to: 0)
    beginnings = []
  }

  private mutating func cut(to size: Int) {
    new.removeLast(min(new.count, kept + new.count - size))
    kept = min(kept, size)
  }

  private mutating func append(_ kind: InkJournal.Kind, _ sample: Sample) {
    new += [kind.rawValue, 0, 0, 0]
    for value in [sample.position.x, sample.position.y, sample.pressure] {
      unsafe withUnsafeBytes(of: value.bitPattern.littleEndian) {
        unsafe new.append(contentsOf: $0)
      }
    }
    unsafe withUnsafeBytes(of: sample.time.littleEndian) { unsafe new.append(contentsOf: $0) }
  }
}
