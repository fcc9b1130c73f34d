import Allocations
import Ink
import Peers
import Raster

extension Bench {
  /// One touch from the sample to the frame buffer.
  func measureTouches(_ report: inout Report) {
    for kind in kinds {
      let touches = Touches(kind, width: Bench.width, height: Bench.height)
      var times: [Double] = []
      times.reserveCapacity(samples * 20)
      touches.sign(signature) { _ in }
      for _ in 0..<20 {
        touches.wipe()
        touches.sign(signature) { times.append($0) }
      }
      report.add("touch \(kind.rawValue) p50", times.percentile(0.5) / 1000, "µs")
      report.add("touch \(kind.rawValue) p99", times.percentile(0.99) / 1000, "µs")
      scaleTouches(times, kind, &report)
    }
  }

  /// The targets are set for a machine on which AGG takes 5 µs a segment.
  private func scaleTouches(
    _ times: [Double], _ kind: StrokeModel.Kind, _ report: inout Report
  ) {
    let outlines = Outlines(signature, kind: .uberSignature, scale: Bench.scale)
    let page = PeerPage()
    guard let agg = page.peers.first(where: { $0.name == "AGG" }) else { return }
    var segment: [Double] = []
    for _ in 0..<Bench.rounds {
      segment.append(page.draw(outlines, with: agg) / Double(outlines.count))
    }
    let slower = 5000 / segment.median / 1000
    let name = "touch \(kind.rawValue)"
    report.add(
      "\(name) p50, where AGG takes 5 µs a segment", times.percentile(0.5) * slower, "µs",
      target: 2.5)
    report.add(
      "\(name) p99, where AGG takes 5 µs a segment", times.percentile(0.99) * slower, "µs",
      target: 8)
  }

  /// The cost of a sample must not depend on what was drawn before or on the panel.
  func measureConstancy(_ report: inout Report) {
    let kind = StrokeModel.Kind.standard
    let small = Hand(field: (left: 10, top: 15, width: 100, height: 40)).sign(seed: 11)
    let empty = Touches(kind, width: 800, height: 480)
    let full = Touches(kind, width: 800, height: 480)
    let large = Touches(kind, width: 3840, height: 2160)
    let runs = Interleaved(
      rounds: Bench.rounds,
      [
        (
          "empty 800×480",
          {
            empty.wipe()
            return empty.sign(small)
          }
        ),
        (
          "after ten signatures",
          {
            full.wipe()
            for _ in 0..<10 { _ = full.sign(small) }
            return full.sign(small)
          }
        ),
        (
          "on 3840×2160",
          {
            large.wipe()
            return large.sign(small)
          }
        ),
      ])
    for name in ["after ten signatures", "on 3840×2160"] {
      report.add(
        "cost of a sample \(name)", runs.ratio(name, to: "empty 800×480"),
        against: "empty 800×480", target: 1.1)
    }
  }

  func measureAllocations(_ report: inout Report) {
    for kind in StrokeModel.Kind.allCases {
      let touches = Touches(kind, width: Bench.width, height: Bench.height)
      _ = touches.sign(signature)
      let before = allocation_count()
      _ = touches.sign(signature)
      let asked = allocation_count() - before
      report.add(
        "allocations \(kind.rawValue)", Double(asked) / Double(samples), "per sample", target: 0)
    }
  }
}
