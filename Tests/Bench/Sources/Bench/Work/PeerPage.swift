import Peers

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
    pixels.initialize(repeating: 0xFFFF_FFFF, count: Bench.width * Bench.height)
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

  /// The whole page into another one, or into one of 16 bits, by cairo; nil without cairo.
  func copy(to frame: UnsafeMutablePointer<UInt32>, isRGB565: Bool = false) -> Double? {
    var isCopied: Int32 = 0
    let time = measured {
      isCopied = peer_copy(
        pixels, frame, Int32(Bench.width), Int32(Bench.height), isRGB565 ? 1 : 0)
    }
    return isCopied != 0 ? time : nil
  }
}
