public import Ink

extension Stroke {
  /// The stroke on a glass that was turned under the hand.
  ///
  /// - Parameters:
  ///   - quarters: Turns by 90° clockwise; any number.
  ///   - glass: Width and height in millimetres before the turn.
  public func turned(clockwise quarters: Int, on glass: Point) -> Stroke {
    var stroke = self
    for index in stroke.samples.indices {
      let place = samples[index].position
      stroke.samples[index].position =
        switch quarters & 3 {
        case 1: Point(glass.y - place.y, place.x)
        case 2: glass - place
        case 3: Point(place.y, glass.x - place.x)
        default: place
        }
    }
    return stroke
  }
}
