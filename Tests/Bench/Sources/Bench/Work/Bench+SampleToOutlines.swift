import CArithmetic
import Ink
import Raster

/// A sample through a model and into outlines, finalised and provisional.
extension Bench {
  /// Nanoseconds for each sample through UberSignature's bare arithmetic in C.
  func arithmetic() -> Double {
    var provider = CProvider()
    var tail = COutline()
    var finalised = COutline()
    var sum: Float = 0
    let time = measured {
      for stroke in signature {
        arithmetic_begin(&provider)
        for sample in stroke {
          let point = sample.position * Bench.scale.x
          let new = arithmetic_add(&provider, point.x, point.y, &tail, &finalised)
          if new & 1 != 0 { sum += tail.points.0.x }
          if new & 2 != 0 { sum += finalised.points.0.x }
        }
      }
    }
    keep(sum)
    return time / Double(samples)
  }

  /// Nanoseconds for each sample.
  func model(_ kind: StrokeModel.Kind) -> Double {
    var model = StrokeModel(kind)
    var ink = StrokeInk()
    var path = Path(capacity: 1024)
    var sum = 0
    let time = measured {
      for stroke in signature {
        for index in stroke.indices {
          if index == 0 {
            model.begin(at: stroke[index], into: &ink)
          } else {
            model.extend(to: stroke[index], into: &ink)
          }
          path.removeAll()
          StrokeModel.outline(of: ink.finalised, by: kind, into: &path)
          StrokeModel.outline(of: ink.provisional, by: kind, into: &path)
          ink.finalised.removeAll()
          sum &+= path.points.count
        }
        model.end(into: &ink)
        ink.finalised.removeAll()
      }
    }
    keep(Float(sum))
    return time / Double(samples)
  }

  /// Uses a result, so that the work for it is not left out.
  @inline(never)
  func keep(_ value: Float) {
    if value.isNaN { print("not a number") }
  }
}
