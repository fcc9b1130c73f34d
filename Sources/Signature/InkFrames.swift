internal import Ink

/// The growth of ink, frame by frame, as the pad shows it while the hand draws.
struct InkFrames {
  /// The ink that a frame changes.
  struct Frame {
    /// The number of the frame, at the given rate.
    let number: Int
    /// The line's last segment before the frame; nil if a line starts with it.
    ///
    /// It is drawn again below the frame's ink: browsers show a seam where two shapes only touch.
    fileprivate(set) var joint: Segment?
    /// The segments that were finalised since the frame before.
    fileprivate(set) var finalised: [Segment] = []
    /// The tail, which the next frame replaces.
    fileprivate(set) var tail: [Segment] = []
  }

  /// The frames in which ink changes, in order.
  private(set) var frames: [Frame] = [Frame(number: 0)]
  /// The longest pause between two samples, in nanoseconds; longer ones are shortened to it.
  private static let longestPause: Int64 = 400_000_000
  private let interval: Int64
  private var elapsed: Int64 = 0
  private var lastTime: Int64?
  /// The line's last finalised segment.
  private var last: Segment?

  /// Draws strokes again in the time that the hand took.
  ///
  /// - Parameter rate: Frames per second, 1…240.
  init(of strokes: [Stroke], by kind: StrokeModel.Kind, law: WidthLaw, rate: Int) {
    interval = 1_000_000_000 / Int64(min(max(rate, 1), 240))
    var model = StrokeModel(kind, law: law)
    var ink = StrokeInk()
    for stroke in strokes {
      var gaps = GapCursor(stroke.gaps)
      for (index, sample) in stroke.samples.enumerated() {
        let isAfterGap = gaps.isGap(before: index)
        if index > 0, isAfterGap { end(&model, &ink) }
        advance(to: sample.time)
        if index == 0 || isAfterGap {
          model.begin(at: sample, into: &ink)
        } else {
          model.extend(to: sample, into: &ink)
        }
        collect(&ink)
      }
      end(&model, &ink)
    }
  }

  private mutating func end(_ model: inout StrokeModel, _ ink: inout StrokeInk) {
    model.end(into: &ink)
    collect(&ink)
    last = nil
  }

  /// Starts a frame if the time of the sample is in a later one.
  private mutating func advance(to time: Int64) {
    let (pause, overflow) = time.subtractingReportingOverflow(lastTime ?? time)
    lastTime = time
    elapsed += overflow ? 0 : min(max(pause, 0), InkFrames.longestPause)
    let number = Int(elapsed / interval)
    guard let frame = frames.last, number > frame.number else { return }
    frames.append(Frame(number: number, joint: last))
  }

  private mutating func collect(_ ink: inout StrokeInk) {
    let frame = frames.count - 1
    for index in 0..<ink.finalised.count {
      frames[frame].finalised.append(ink.finalised[index])
      last = ink.finalised[index]
    }
    frames[frame].tail = (0..<ink.provisional.count).map { ink.provisional[$0] }
    ink.finalised.removeAll()
  }
}
