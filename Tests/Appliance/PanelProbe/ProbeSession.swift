import AllocationCount
import CLinux
import Display
import Linux
import Raster

/// An open panel with a canvas, and the host's commands; each is answered by one line.
struct ProbeSession: ~Copyable {
  private var panel: Panel
  private var canvas: Canvas
  private let noInk: InkPlanes
  private var damage = PixelRegion()
  private var lines: ProbeLines
  private var poll = Poll()
  private let console: Console?
  private var allocations = 0
  /// A terminal that is never released.
  private var isStubborn = false
  /// The kernel waits for the release.
  private var isAsked = false
  /// When the terminal was released last (CLOCK_MONOTONIC).
  private var released: Int64 = 0
  private var touches: ProbeTouches?
  /// The place of the touchscreen in the poll set.
  private let touchPlace: Int

  init(
    _ panel: consuming Panel, _ console: consuming Console?, _ signals: Int32, _ lines: ProbeLines
  ) {
    canvas = Canvas(width: panel.width, height: panel.height)
    noInk = InkPlanes(width: panel.width, height: panel.height)
    self.lines = lines
    poll.add(0)
    poll.add(panel.descriptor)
    poll.add(signals)
    touchPlace = poll.add(-1)
    self.console = console
    self.panel = panel
  }

  var description: String {
    let scale = panel.scale
    return "\(panel.width)x\(panel.height) \(scale.x) \(scale.y) px/mm: \(panel.summary)"
  }

  /// Runs until `close` or the end of the input; returns the remaining lines.
  mutating func run(_ signals: borrowing SignalDescriptor) -> ProbeLines {
    while !lines.isEnded {
      while let line = lines.next() {
        if line == "close" { return lines }
        do throws(DisplayError) {
          PanelProbe.say(try perform(line.split(separator: " ")) ?? "error: no command: \(line)")
        } catch {
          PanelProbe.say("error: \(error.text)")
        }
      }
      while let signal = signals.next() { handle(signal) }
      do throws(DisplayError) { try turn() } catch { PanelProbe.say("error: \(error.text)") }
    }
    return lines
  }

  /// Releases or acquires the panel for a switch of terminals.
  private mutating func handle(_ signal: Int32) {
    if signal == SIGUSR1 {
      isAsked = true
      if !isStubborn { release() }
    } else {
      switch console {
      case .some(let console): console.acquire()
      case .none: break
      }
      panel.acquire()
    }
  }

  private mutating func release() {
    guard isAsked else { return }
    isAsked = false
    panel.release()
    released = MonotonicClock.now
    switch console {
    case .some(let console): console.release()
    case .none: break
    }
  }

  private func activate() {
    switch console {
    case .some(let console): if let number = console.number { try? console.activate(number) }
    case .none: break
    }
  }

  /// Waits for the panel or the host, and presents.
  private mutating func turn(listening: Bool = true) throws(DisplayError) {
    poll.replace(0, with: listening ? 0 : -1)
    do throws(Errno) { try poll.wait() } catch { throw .refused(.wait, error) }
    if listening, poll.isReadable(0) || poll.isGone(0) { lines.receive() }
    // As a program whose devices are its own only in front.
    touches?.drain(counting: panel.condition == .active)
    try present()
  }

  /// One pass of a render loop; counts its allocations.
  private mutating func present() throws(DisplayError) {
    let asked = allocation_count()
    defer { allocations += allocation_count() - asked }
    try panel.handleEvents()
    let damage = damage
    self.damage.clear()
    try panel.present(canvas, damage: damage)
  }

  private mutating func perform(_ words: [Substring]) throws(DisplayError) -> String? {
    let numbers = words.dropFirst().compactMap { Int32($0) }
    switch (words.first, numbers.count) {
    case ("pattern", 1): pattern(UInt32(bitPattern: numbers[0]))
    case ("rect", 5):
      paint(
        PixelRect(numbers[0], numbers[1], numbers[0] + numbers[2], numbers[1] + numbers[3]),
        UInt32(numbers[4]))
    case ("show", 0): try settle()
    case ("run", 1): return try run(frames: Int(numbers[0]))
    case ("stats", 0): break
    case ("touch", 0) where words.count == 2:
      touches = ProbeTouches(String(words[1]))
      poll.replace(touchPlace, with: touches?.number ?? -1)
      return touches == nil ? "error: no touchscreen" : "ok"
    case ("touches", 0):
      touches?.drain(counting: panel.condition == .active)
      return "ok touches=\(touches?.count ?? 0) lifts=\(touches?.lifts ?? 0)"
    case ("stubborn", 1):
      isStubborn = numbers[0] != 0
      if !isStubborn { release() }
    case ("released", 0): return "ok released=\(released)"
    case ("activate", 0): activate()
    case ("blank", 0): panel.blank()
    case ("unblank", 0): panel.unblank()
    case ("condition", 0): return "ok \(panel.condition.rawValue)"
    default: return nil
    }
    return "ok " + statistics
  }

  /// Paints each square of four pixels in another colour, so that any shift or loss is visible.
  private mutating func pattern(_ seed: UInt32) {
    for row in 0..<Int32((panel.height + 3) / 4) {
      for column in 0..<Int32((panel.width + 3) / 4) {
        let rect = PixelRect(4 * column, 4 * row, 4 * column + 4, 4 * row + 4)
        let mixed = UInt32(column) &* 2_654_435_761 ^ UInt32(row) &* 40503 &* 251 ^ seed &* 97
        canvas.fillGround(rect, (mixed ^ mixed >> 11) & 0xFF_FFFF)
      }
    }
    canvas.compose(canvas.rect, ink: noInk)
    damage.add(canvas.rect)
  }

  private mutating func paint(_ rect: PixelRect, _ colour: UInt32) {
    canvas.fillGround(rect, colour)
    canvas.compose(rect, ink: noInk)
    damage.add(rect)
  }

  /// Presents until everything is shown.
  private mutating func settle() throws(DisplayError) {
    repeat {
      try present()
      if panel.nextDeadline != nil { try turn(listening: false) }
    } while panel.nextDeadline != nil
  }

  /// Moves a small square for a number of frames, drawn 240 times a second as a finger would.
  private mutating func run(frames: Int) throws(DisplayError) -> String {
    let first = panel.statistics.frames
    allocations = 0
    let start = MonotonicClock.now
    var next = start
    var step: Int32 = 0
    while panel.statistics.frames - first < Int64(frames) {
      next += 4_166_667
      while MonotonicClock.now < next {
        let rest = Int32((next - MonotonicClock.now) / 1_000_000)
        do throws(Errno) { try poll.wait(milliseconds: max(0, rest)) } catch {
          throw .refused(.wait, error)
        }
        try present()
      }
      step += 1
      let (x, y) = (step * 3 % Int32(panel.width - 8), step * 2 % Int32(panel.height - 8))
      paint(PixelRect(x, y, x + 6, y + 6), UInt32(bitPattern: step &* 7919) & 0xFF_FFFF)
      panel.record(sampleAt: next)
      try present()
    }
    try settle()
    return "ok \(step) samples in \((MonotonicClock.now - start) / 1_000_000) ms; "
      + "allocations=\(allocations) " + statistics
  }

  private var statistics: String {
    let s = panel.statistics
    let commit = s.stampToCommit
    let flip = s.stampToFlip
    return "frames=\(s.frames) bytes=\(s.bytesWritten) missed=\(s.missedFlips) lost=\(s.lostFlips)"
      + " busy=\(s.busyCommits) modesets=\(s.modeSets) late=\(s.lateSamples)"
      + " commit_us=\(commit.quantile(0.5) / 1000),\(commit.quantile(0.99) / 1000),"
      + "\(commit.longest / 1000) flip_us=\(flip.quantile(0.5) / 1000),"
      + "\(flip.quantile(0.99) / 1000),\(flip.longest / 1000) lead_us=\(s.lead / 1000)"
  }
}
