internal import Ink

extension Path {
  /// The area in mm² that a segment's outline encloses the other way round than outlines do: where the edges of a
  /// sharp turn cross, as they do in the published models.
  ///
  /// The outline is one contour that goes along one edge and back along the other: it is cut across into triangles
  /// between them.
  borrowing func reversedArea() -> Float {
    var corners: [Point] = []
    follow(steps: 16) { corners.append($0) }
    var sum: Float = 0
    for index in 0..<max(0, corners.count / 2 - 1) {
      let (a, b) = (corners[index], corners[index + 1])
      let (c, d) = (corners[corners.count - 2 - index], corners[corners.count - 1 - index])
      sum += max(0, -Path.area(a, b, c)) + max(0, -Path.area(a, c, d))
    }
    return sum
  }

  /// Positive where the corners run as outlines do.
  private static func area(_ a: Point, _ b: Point, _ c: Point) -> Float {
    let (first, second) = (b - a, c - a)
    return (first.x * second.y - first.y * second.x) / 2
  }
}
