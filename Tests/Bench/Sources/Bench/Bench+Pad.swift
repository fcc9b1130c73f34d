import Glibc

/// The pad as a whole: what a board would see of it.
extension Bench {
  private static let framebuffer = 4 * width * height

  func measurePad(_ report: inout Report) {
    measureLoad(&report)
    let program = Program.rootPath + ".build/release/paraphd"
    guard access(program, X_OK) == 0 else {
      return report.skip("the pad as a whole: \(program) is not built (make build)")
    }
    if !PadProcess.isRoundRobin {
      report.skip("the pad with the scheduling of its service: it takes root")
    }
    measureStart(program, &report)
    measureSigned(program, &report)
    measureWakes(&report)
    measureReports(program, &report)
    measureFrames(program, &report)
    measureScrolling(program, &report)
  }

  /// Processor time without the waking, which is the kernel's.
  private func measureLoad(_ report: inout Report) {
    let signature = Hand(rate: 240).sign(seed: 7)
    let samples = signature.reduce(0) { $0 + $1.count }
    var touches = Touches(.standard, width: Bench.width, height: Bench.height)
    _ = touches.sign(signature)
    let times = (0..<Bench.rounds).map { _ in
      touches.wipe()
      return touches.sign(signature) / Double(samples)
    }
    report.add(
      "pad: model, raster and copy at 240 reports a second", times.median * 240 / 1e7,
      "% of a core", target: 0.5)
  }

  /// From exec to the first picture, in the quickest of ten starts; then what it holds and how often it
  /// wakes while nobody is there.
  private func measureStart(_ program: String, _ report: inout Report) {
    var quickest = Double.infinity
    for round in 0..<10 {
      guard let pad = PadProcess(program, recording: TouchRecording(seconds: 1).text)
      else { return report.skip("the pad's start") }
      pad.wait(for: "first frame shown")
      if let stood = PadProcess.number(after: "first frame shown (monotonic", in: pad.log) {
        quickest = min(quickest, Double(Int64(stood) - pad.started) / 1e6)
      }
      if round == 9 { measureRest(of: pad, &report) }
      _ = pad.stop()
    }
    report.add("pad: exec to first picture", quickest, "ms", target: 50)
  }

  private func measureRest(of pad: PadProcess, _ report: inout Report) {
    pad.wait(for: "the recording is over")
    // The last flip, of which it tells nobody.
    usleep(500_000)
    let before = pad.wakeUps
    sleep(5)
    report.add("pad: wake-ups in 5 s without a touch", Double(pad.wakeUps - before), "", target: 0)
    report.add(
      "pad: resident beside two framebuffers",
      Double(pad.resident - 2 * Bench.framebuffer) / 1_048_576, "MiB", target: 10)
    report.add(
      "pad: of that, without pages of files",
      Double(pad.residentAlone - 2 * Bench.framebuffer) / 1_048_576, "MiB")
  }

  /// What it holds of a signature that is wiped again: of the recorded hand, on the panel that it wrote on.
  private func measureSigned(_ program: String, _ report: inout Report) {
    guard
      let pad = PadProcess(
        program, glass: "pixels = 1024x571\nsize = 154x86",
        recording: PadProcess.read(Program.rootPath + "Tests/Fixtures/signature.evemu"))
    else { return report.skip("the pad after a signature") }
    pad.wait(for: "published signature 1")
    // "Saved" is on the glass for a while; of its end the log does not tell.
    sleep(5)
    let framebuffers = 2 * 4 * 1024 * 571
    report.add(
      "pad: resident beside two framebuffers, after a signature",
      Double(pad.resident - framebuffers) / 1_048_576, "MiB", target: 12)
    report.add(
      "pad: of that after a signature, without pages of files",
      Double(pad.residentAlone - framebuffers) / 1_048_576, "MiB")
    report.add(
      "pad: resident beside two framebuffers, at most while it was saved",
      Double(pad.residentAtMost - framebuffers) / 1_048_576, "MiB")
    _ = pad.stop()
  }

  /// What no report can be quicker than: one thread wakes another, here, at that rate.
  private func measureWakes(_ report: inout Report) {
    for (name, isOneCore) in [("its core", true), ("another core", false)] {
      guard let wakes = Wake.measure(rate: 240, seconds: 2, onOneCore: isOneCore) else {
        report.skip("a wake-up on \(name)")
        continue
      }
      report.add("floor: a thread wakes another on \(name) p50", wakes.median, "µs")
      report.add("floor: a thread wakes another on \(name) p99", wakes.percentile(0.99), "µs")
    }
  }

  /// From the moment of a report, at which the input thread hands it over as it hands over a kernel's, to
  /// its pixels. Drawn into what is shown, so that no frame is waited for: of five runs the least disturbed.
  ///
  /// Not in it: that the kernel wakes the input thread, on a device of the kernel's. That is one floor more.
  private func measureReports(_ program: String, _ report: inout Report) {
    let runs = (0..<5).compactMap { _ in
      run(program, display: "present = front").flatMap { log in
        Latency(log)
      }
    }
    guard let best = runs.min(by: { $0.p99 < $1.p99 }) else {
      return report.skip("the pad's reports to pixels")
    }
    report.add("pad: report to framebuffer p50", best.p50, "µs", target: 40)
    report.add("pad: report to framebuffer p99", best.p99, "µs", target: 100)
  }

  /// At a vblank of 60 Hz by the clock: samples that came more than 2 ms before a flip and were not in it.
  private func measureFrames(_ program: String, _ report: inout Report) {
    let logs = (0..<5).compactMap { _ in run(program, display: "") }
    let late = { log in PadProcess.number(after: " samples,", in: log) ?? .max }
    guard let best = logs.min(by: { late($0) < late($1) }), let latency = Latency(best) else {
      return report.skip("the pad's frames")
    }
    report.add("pad: samples late for their flip at 60 Hz", Double(late(best)), "", target: 0)
    report.add("pad: report to commit at 60 Hz p50", latency.p50 / 1000, "ms")
    report.add("pad: report to commit at 60 Hz p99", latency.p99 / 1000, "ms", target: 1000 / 60)
  }

  /// A finger that scrolls a page of a document on 1280 × 800 pixels at 60 Hz.
  private func measureScrolling(_ program: String, _ report: inout Report) {
    for (kind, page) in [
      ("text", "a grey page"), ("colours", "a page in colours"), ("noise", "coloured noise"),
    ] {
      let numbers = Script(name: "scrolling.py").numbers(program, "10", kind)
      guard numbers.count == 6, numbers[0] > 0 else {
        report.skip("the pad's scrolling of \(page)")
        continue
      }
      report.add("pad: frames of 11 s of scrolling \(page)", numbers[0], "")
      report.add("pad: frames of \(page) that were late", numbers[1], "", target: 0)
      report.add("pad: a scrolled frame of \(page)", numbers[2], "µs", target: 0.4 * 1e6 / 60)
      report.add("pad: resident memory while \(page) is scrolled", numbers[3], "MiB", target: 4)
      report.add("pad: file in memory with \(page)", numbers[4], "MiB")
    }
  }

  /// What it logged of a hand of two seconds.
  private func run(_ program: String, display: String) -> String? {
    guard let pad = PadProcess(program, display: display, recording: TouchRecording().text) else {
      return nil
    }
    pad.wait(for: "the recording is over")
    return pad.stop()
  }
}

/// What the pad logs at its end.
private struct Latency {
  let p50: Double
  let p99: Double

  init?(_ log: String) {
    guard let p50 = Self.micros(after: "commit: p50 ", in: log),
      let p99 = Self.micros(after: ", p99 ", in: log)
    else { return nil }
    (self.p50, self.p99) = (p50, p99)
  }

  /// "98 µs" or "1.4 ms".
  private static func micros(after word: String, in text: String) -> Double? {
    var rest = Substring(text)
    while !rest.isEmpty, !rest.hasPrefix(word) { rest = rest.dropFirst() }
    let figure = rest.dropFirst(word.count).prefix { $0 != " " }
    let unit = rest.dropFirst(word.count + figure.count + 1)
    return Double(figure).map { unit.hasPrefix("ms") ? $0 * 1000 : $0 }
  }
}
