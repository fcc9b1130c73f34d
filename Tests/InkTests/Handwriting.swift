import Foundation

@testable import Ink

/// Recordings as tablets store them: a count, then `x y t button azimuth altitude pressure` a line.
enum Handwriting {
  static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../shared/recordings/handwriting").standardized

  static var isThere: Bool { FileManager.default.isReadableFile(atPath: folder.path()) }

  /// The strokes with the pen down; `millimetres` and `nanoseconds` of one unit.
  static func strokes(_ text: String, millimetres: Double, nanoseconds: Double) -> [[Sample]] {
    var strokes: [[Sample]] = [[]]
    for line in text.split(whereSeparator: \.isNewline).dropFirst() {
      let fields = line.split(separator: " ").compactMap { Double($0) }
      guard fields.count >= 4 else { continue }
      guard fields[3] > 0 else {
        if strokes[strokes.count - 1] != [] { strokes.append([]) }
        continue
      }
      strokes[strokes.count - 1].append(
        Sample(
          time: Int64((fields[2] * nanoseconds).rounded()),
          position: Point(Float(fields[0] * millimetres), Float(fields[1] * millimetres))))
    }
    return strokes.filter { !$0.isEmpty }
  }
}
