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

/// The peers and the picture that they draw in.
final class PeerPage {
  struct NamedPeer {
    let name: String
    let peer: OpaquePointer
  }

  private let pixels: UnsafeMutablePointer<UInt32>
  private(set) var peers: [NamedPeer] = []
  private(set) var missing: [String] = []

  init() {
    pixels = .allocate(capacity: Bench.width * Bench.height)
    for (kind, package) in [
      (PeerAGG, "libagg-dev"), (PeerFreeType, "libfreetype-dev"), (PeerCairo, "libcairo2-dev"),
    ] {
      let width = Int32(Bench.width)
      if let name = peer_name(kind),
        let peer = peer_open(kind, pixels, width, Int32(Bench.height), width)
      {
        peers.append(NamedPeer(name: String(cString: name), peer: peer))
      } else {
        missing.append("a peer: \(package) is not installed")
      }
    }
  }

  deinit {
    for peer in peers { peer_close(peer.peer) }
    pixels.deallocate()
  }

  private func clear() { pixels.update(repeating: 0xFFFF_FFFF, count: Bench.width * Bench.height) }

  /// The second time counts, when its own memory is in the caches.
  func draw(_ outlines: Outlines, with peer: NamedPeer) -> Double {
    clear()
    outlines.fill(with: peer.peer)
    clear()
    return measured { outlines.fill(with: peer.peer) }
  }

  func redraw(_ outlines: Outlines, with peer: NamedPeer) -> Double {
    measured {
      clear()
      outlines.fill(with: peer.peer)
    }
  }
}

/// Our own ink and picture.
final class OurPage {
  private var planes = InkPlanes(width: Bench.width, height: Bench.height)
  private var canvas = Canvas(width: Bench.width, height: Bench.height)
  private var path = Path()

  /// Each segment at once into the picture; the second time counts.
  func draw(_ outlines: Outlines) -> Double {
    canvas.compose(planes.clear(), ink: planes)
    fill(outlines)
    canvas.compose(planes.clear(), ink: planes)
    return measured { fill(outlines) }
  }

  private func fill(_ outlines: Outlines) {
    outlines.forEach(&path) { path, endsStroke in
      canvas.compose(planes.addFinalised(path, scale: outlines.scale), ink: planes)
      if endsStroke { planes.endStroke() }
    }
  }

  /// A white page, and then everything.
  func redraw(_ outlines: Outlines) -> Double {
    measured {
      planes.clear()
      outlines.forEach(&path) { path, endsStroke in
        _ = planes.addFinalised(path, scale: outlines.scale)
        if endsStroke { planes.endStroke() }
      }
      canvas.compose(canvas.rect, ink: planes)
    }
  }
}
