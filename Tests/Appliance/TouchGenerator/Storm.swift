/// Fingers that all go round in circles: reports by the thousand, whose places are known beforehand.
struct Storm {
  /// Reports, fingers, and how far apart the reports are; 0: as fast as the kernel takes them.
  let reports: Int, fingers: Int
  let nanoseconds: Int64

  /// Reports of one round.
  static let round = 360

  /// Where a finger is in a report, in millimetres: the first goes around the middle of the panel, the
  /// others around places beside it.
  func place(of finger: Int, in report: Int, on panel: Panel) -> (x: Double, y: Double) {
    let radius = finger == 0 ? 20.0 : 4.0
    let (sine, cosine) = Storm.circle[report % Storm.round]
    let middle = (x: Double(panel.width) / 2, y: Double(panel.height) / 2)
    let side = Double(finger) - Double(fingers) / 2
    let x = finger == 0 ? middle.x : middle.x + side * Double(panel.width) / 12
    let y = finger == 0 ? middle.y : 8
    return (x + radius * cosine, y + radius * sine)
  }

  /// Sine and cosine of each report of a round, by turning on.
  private static let circle: [(sine: Double, cosine: Double)] = {
    // One degree.
    let (s, c) = (0.017_452_406_437_283_51, 0.999_847_695_156_391_2)
    var places: [(sine: Double, cosine: Double)] = [(0, 1)]
    for _ in 1..<round {
      let (sine, cosine) = places[places.count - 1]
      places.append((sine * c + cosine * s, cosine * c - sine * s))
    }
    return places
  }()
}
