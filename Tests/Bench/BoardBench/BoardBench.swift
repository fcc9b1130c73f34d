import Ink
import Linux
import PNG
import Peers
import Raster

extension Bench {
  /// The median of three drops a tick of the kernel.
  static let rounds = 3
  /// The panel of the row "touch", and a hand on it.
  static let panel = (width: 800, height: 480)
  static let hand = Hand(field: (left: 10, top: 15, width: 100, height: 40))
}

/// Counts the instructions of the program's hot work on a board, beside its peers.
///
/// It runs in an emulated machine whose clock passes a nanosecond for each instruction, so that the bench's
/// durations are numbers of instructions. Prints a line `figure NAME: NUMBER` for each; `board.py` boots it, and
/// makes a table of them. Arguments: the parts to be run; all by default.
@main struct BoardBench {
  static func main() {
    let bench = Bench()
    let parts: [(name: String, measure: () -> Void)] = [
      ("models", { measureModels(bench) }),
      ("raster", { for kind in bench.kinds { measureRaster(bench, kind) } }),
      ("touches", { for kind in bench.kinds { measureTouches(kind) } }),
      ("copies", { measureCopies(bench) }),
      ("png", { measurePNG(bench) }),
    ]
    let wanted = Process.begin("BoardBench").dropFirst()
    if let name = wanted.first(where: { name in !parts.contains { $0.name == name } }) {
      let names = parts.map { $0.name }.joined(separator: " ")
      Process.end(64, "bench: there is no \(name); parts: \(names)")
    }
    write("samples", Double(bench.samples))
    write("pixels", Double(Bench.width * Bench.height))
    for part in parts where wanted.isEmpty || wanted.contains(part.name) { part.measure() }
  }

  private static func write(_ name: String, _ value: Double) {
    print("figure \(name): \(Int64(value.rounded()))")
  }

  private static func write(_ runs: Interleaved, _ names: [String], times factor: Int = 1) {
    for name in names { write(name, runs.median(name) * Double(factor)) }
  }

  /// Instructions for all samples.
  private static func measureModels(_ bench: Bench) {
    var contestants: [(name: String, run: () -> Double)] = [
      ("model C", { bench.arithmetic() })
    ]
    for kind in StrokeModel.Kind.allCases {
      contestants.append(("model " + kind.rawValue, { bench.model(kind) }))
    }
    let runs = Interleaved(rounds: Bench.rounds, contestants)
    write(runs, contestants.map { $0.name }, times: bench.samples)
  }

  /// Instructions for all segments.
  private static func measureRaster(_ bench: Bench, _ kind: StrokeModel.Kind) {
    let outlines = Outlines(bench.signature, kind: kind, scale: Bench.scale)
    write("segments " + kind.rawValue, Double(outlines.count))
    let page = PeerPage()
    let canvas = OurPage()
    let prefix = kind.rawValue + " "
    var contestants: [(name: String, run: () -> Double)] = [
      ("raster " + prefix + "Paraph", { canvas.draw(outlines) }),
      ("redraw " + prefix + "Paraph", { canvas.redraw(outlines) }),
    ]
    for peer in page.peers {
      contestants.append(
        ("raster " + prefix + peer.name, { page.draw(outlines, with: peer) }))
      contestants.append(
        ("redraw " + prefix + peer.name, { page.redraw(outlines, with: peer) }))
    }
    write(Interleaved(rounds: Bench.rounds, contestants), contestants.map { $0.name })
  }

  /// From a sample to the frame buffer: of all samples, each the median of its rounds.
  private static func measureTouches(_ kind: StrokeModel.Kind) {
    let signature = Bench.hand.sign(seed: 11)
    var touches = Touches(kind, width: Bench.panel.width, height: Bench.panel.height)
    _ = touches.sign(signature)
    var rounds: [[Double]] = []
    for _ in 0..<Bench.rounds {
      var round: [Double] = []
      touches.wipe()
      touches.sign(signature) { round.append($0) }
      rounds.append(round)
    }
    let each = rounds[0].indices.map { sample in rounds.map { $0[sample] }.median }
    let prefix = "touch " + kind.rawValue + " "
    for (name, share) in [("p50", 0.5), ("p99", 0.99), ("most", 1)] {
      write(prefix + name, each.percentile(share))
    }
  }

  /// A page with a signature, and a scrolled page of a document, into frame buffers.
  private static func measureCopies(_ bench: Bench) {
    let outlines = Outlines(bench.signature, kind: .standard, scale: Bench.scale)
    let canvas = OurPage()
    _ = canvas.draw(outlines)
    let page = PeerPage()
    let frame = UnsafeMutablePointer<UInt32>.allocate(capacity: Bench.width * Bench.height)
    defer { frame.deallocate() }
    let contestants: [(name: String, run: () -> Double)] = [
      ("copy XRGB8888 Paraph", { canvas.copy() }),
      ("copy XRGB8888 cairo", { page.copy(to: frame) ?? failed("cairo") }),
      ("copy RGB565 Paraph", { canvas.copyRGB565() }),
      ("copy RGB565 cairo", { page.copy(to: frame, isRGB565: true) ?? failed("cairo") }),
      ("scroll grey", { canvas.scroll(isGrey: true) }),
      ("scroll colour", { canvas.scroll(isGrey: false) }),
    ]
    write(Interleaved(rounds: Bench.rounds, contestants), contestants.map { $0.name })
  }

  /// Ends the bench: work that failed takes few instructions.
  private static func failed(_ name: String) -> Double {
    Process.end(70, "bench: \(name) has failed: there are no figures")
  }

  private static func measurePNG(_ bench: Bench) {
    let ink = bench.picture()
    let grey = ink.map { 255 - $0 }
    var files: [[UInt8]] = [[], []]
    var theirs = 0
    let contestants: [(name: String, run: () -> Double)] = [
      (
        "PNG libpng",
        { measured { theirs = png_default_size(grey, Int32(Bench.width), Int32(Bench.height)) } }
      ),
      ("PNG grey", { measured { files[0] = bench.encode(grey, .grey) } }),
      (
        "PNG palette",
        { measured { files[1] = bench.encode(ink, .ink(red: 0, green: 0, blue: 0)) } }
      ),
    ]
    write(Interleaved(rounds: 1, contestants), contestants.map { $0.name })
    if theirs <= 0 || files.contains(where: { $0.isEmpty }) { _ = failed("a PNG encoder") }
    write("PNG bytes libpng", Double(theirs))
    write("PNG bytes grey", Double(files[0].count))
    write("PNG bytes palette", Double(files[1].count))
  }
}
