import Allocations
import Ink
import Peers
import Raster

extension Bench {
  /// One touch from the sample to the frame buffer. The targets are set for a machine on which AGG takes
  /// 5 µs a segment, so that each round also times AGG.
  func measureTouches(_ report: inout Report) {
    let outlines = Outlines(signature, kind: .uberSignature, scale: Bench.scale)
    let page = PeerPage()
    let agg = page.peers.first { $0.name == "AGG" }
    for kind in kinds {
      var touches = Touches(kind, width: Bench.width, height: Bench.height)
      touches.sign(signature) { _ in }
      var times: [[Double]] = []
      var segments: [Double] = []
      for _ in 0..<Bench.rounds {
        var round: [Double] = []
        round.reserveCapacity(samples)
        touches.wipe()
        touches.sign(signature) { round.append($0) }
        times.append(round)
        if let agg { segments.append(page.draw(outlines, with: agg) / Double(outlines.count)) }
      }
      for (name, share, target) in [("p50", 0.5, 2.5), ("p99", 0.99, 8)] {
        let each = times.map { $0.percentile(share) }
        report.add("touch \(kind.rawValue) \(name)", each.median / 1000, "µs")
        guard agg != nil else { continue }
        report.add(
          "touch \(kind.rawValue) \(name), where AGG takes 5 µs a segment",
          zip(each, segments).map { 5 * $0 / $1 }.median, "µs", target: target)
      }
    }
  }

  /// The cost of a sample must not depend on what was drawn before or on the panel.
  func measureConstancy(_ report: inout Report) {
    let kind = StrokeModel.Kind.standard
    let small = Hand(field: (left: 10, top: 15, width: 100, height: 40)).sign(seed: 11)
    let empty = Page(Touches(kind, width: 800, height: 480))
    let full = Page(Touches(kind, width: 800, height: 480))
    let large = Page(Touches(kind, width: 3840, height: 2160))
    let runs = Interleaved(
      rounds: Bench.rounds,
      [
        (
          "empty 800×480",
          {
            empty.touches.wipe()
            return empty.touches.sign(small)
          }
        ),
        (
          "after ten signatures",
          {
            full.touches.wipe()
            for _ in 0..<10 { _ = full.touches.sign(small) }
            return full.touches.sign(small)
          }
        ),
        (
          "on 3840×2160",
          {
            large.touches.wipe()
            return large.touches.sign(small)
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
      var touches = Touches(kind, width: Bench.width, height: Bench.height)
      _ = touches.sign(signature)
      let before = allocation_count()
      _ = touches.sign(signature)
      let asked = allocation_count() - before
      report.add(
        "allocations \(kind.rawValue)", Double(asked) / Double(samples), "per sample", target: 0)
    }
  }
}

/// Lets a contestant keep its touches: a closure cannot capture what cannot be copied.
private final class Page {
  var touches: Touches

  init(_ touches: consuming Touches) { self.touches = touches }
}
