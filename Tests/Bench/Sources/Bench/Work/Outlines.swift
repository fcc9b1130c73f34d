import Ink
import Peers
import Raster

/// The finalised outlines of a signature, worked out beforehand, in millimetres for our own raster and
/// in pixels for the peers, each in one piece of memory.
final class Outlines {
  struct Outline {
    let verbs, points: Range<Int>
    /// Whether a stroke ends with it.
    var endsStroke = false
  }

  let scale: Scale
  private(set) var outlines: [Outline] = []
  private var verbs: [UInt8] = []
  private var millimetres: [Point] = []
  private var pixels: [SIMD2<Float>] = []

  init(_ signature: [[Sample]], kind: StrokeModel.Kind, scale: Scale) {
    self.scale = scale
    var model = StrokeModel(kind)
    var ink = StrokeInk()
    for samples in signature {
      for index in samples.indices {
        if index == 0 {
          model.begin(at: samples[index], into: &ink)
        } else {
          model.extend(to: samples[index], into: &ink)
        }
        take(&ink, kind)
      }
      model.end(into: &ink)
      take(&ink, kind)
      outlines[outlines.count - 1].endsStroke = true
    }
  }

  var count: Int { outlines.count }

  private func take(_ ink: inout StrokeInk, _ kind: StrokeModel.Kind) {
    for index in 0..<ink.finalised.count {
      var path = Path()
      StrokeModel.outline(of: ink.finalised[index], by: kind, into: &path)
      let (firstVerb, firstPoint) = (verbs.count, pixels.count)
      for verb in path.verbs.indices { verbs.append(path.verbs[verb].rawValue) }
      for point in path.points.indices {
        millimetres.append(path.points[point])
        pixels.append(scale.pixels(path.points[point]))
      }
      outlines.append(
        Outline(verbs: firstVerb..<verbs.count, points: firstPoint..<pixels.count))
    }
    ink.finalised.removeAll()
  }

  /// Fills all with a peer.
  func fill(with peer: OpaquePointer) {
    verbs.withUnsafeBufferPointer { verbs in
      pixels.withUnsafeBytes { bytes in
        guard let verb = verbs.baseAddress,
          let point = bytes.bindMemory(to: Float.self).baseAddress
        else { return }
        for outline in outlines {
          peer_fill(
            peer,
            PeerOutline(
              verbs: verb + outline.verbs.lowerBound, verbCount: Int32(outline.verbs.count),
              points: point + 2 * outline.points.lowerBound))
        }
      }
    }
  }

  /// Builds each path as a model would, and hands it on.
  @inline(__always)
  func forEach(_ path: inout Path, _ body: (borrowing Path, _ endsStroke: Bool) -> Void) {
    verbs.withUnsafeBufferPointer { verbs in
      millimetres.withUnsafeBufferPointer { points in
        for outline in outlines {
          path.removeAll()
          var next = outline.points.lowerBound
          for verb in outline.verbs {
            switch verbs[verb] {
            case 0: path.move(to: points[next])
            case 1: path.line(to: points[next])
            case 2: path.quad(points[next], to: points[next + 1])
            default: path.cubic(points[next], points[next + 1], to: points[next + 2])
            }
            next += max(1, Int(verbs[verb]))
          }
          body(path, outline.endsStroke)
        }
      }
    }
  }
}
