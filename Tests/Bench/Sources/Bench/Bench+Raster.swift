import Ink
import Peers
import Raster

extension Bench {
  /// One outline for each segment, black on white XRGB8888: ours through the ink's layers and the
  /// canvas, the peers' straight into the picture. Then everything again from a white page.
  func measureRaster(_ report: inout Report) {
    for kind in kinds {
      let outlines = Outlines(signature, kind: kind, scale: Bench.scale)
      let page = PeerPage()
      let canvas = OurPage()
      let ours = "raster \(kind.rawValue)"
      let redraw = "redraw \(kind.rawValue)"
      var contestants: [(name: String, run: () -> Double)] = [
        (ours, { canvas.draw(outlines) / Double(outlines.count) }),
        (redraw, { canvas.redraw(outlines) }),
      ]
      for peer in page.peers {
        contestants.append(
          (peer.name, { page.draw(outlines, with: peer) / Double(outlines.count) }))
        contestants.append(
          (peer.name + " redraw", { page.redraw(outlines, with: peer) }))
      }
      let runs = Interleaved(rounds: Bench.rounds, contestants)
      report.add(ours, runs.median(ours), "ns/segment")
      for peer in page.peers {
        report.add(
          "\(peer.name), outlines of \(kind.rawValue)", runs.median(peer.name), "ns/segment")
        report.add(
          ours, runs.ratio(ours, to: peer.name), against: peer.name,
          target: peer.name == "cairo" ? 0.25 : 0.42)
      }
      report.add(redraw, runs.median(redraw) / 1000, "µs")
      for peer in page.peers where peer.name == "AGG" {
        report.add(redraw, runs.ratio(redraw, to: "AGG redraw"), against: "AGG", target: 0.6)
      }
      if kind == kinds.first { page.missing.forEach { report.skip($0) } }
    }
  }
}
