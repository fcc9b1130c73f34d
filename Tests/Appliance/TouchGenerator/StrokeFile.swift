import CLinux
import Linux

/// A file of strokes: lines of milliseconds, x mm, y mm and the stroke's number.
struct StrokeFile {
  /// A report: the time from the start, and the finger's position; nil after the lift.
  struct Step {
    let nanoseconds: Int64
    let position: (x: Double, y: Double)?
  }

  let steps: [Step]

  /// The limit of a file's size in bytes.
  private static let limit = 16 << 20

  init(path: String) throws(Failure) {
    do throws(Errno) {
      let file = try FileDescriptor(opening: path, O_RDONLY)
      guard let content = try file.readAll(limit: Self.limit) else {
        throw Errno(EFBIG)
      }
      steps = try Self.steps(String(decoding: content, as: UTF8.self))
    } catch {
      throw Failure("\(path): \(error.text)")
    }
  }

  /// Lifts the finger one report after its last position, as panels do.
  private static func steps(_ text: String) throws(Errno) -> [Step] {
    var steps: [Step] = []
    var stroke: Double?
    var time: Int64 = 0
    var period: Int64 = 8_000_000
    for line in text.split(separator: "\n") {
      let numbers = line.split(separator: " ").compactMap { Double(host: $0) }
      guard numbers.count == 4, numbers[0].magnitude < 1e9 else { throw Errno(EINVAL) }
      let next = Int64(numbers[0] * 1e6)
      if let stroke, stroke != numbers[3] {
        steps.append(Step(nanoseconds: time + period, position: nil))
      } else if stroke != nil {
        period = next - time
      }
      (stroke, time) = (numbers[3], next)
      steps.append(Step(nanoseconds: time, position: (numbers[1], numbers[2])))
    }
    if stroke != nil { steps.append(Step(nanoseconds: time + period, position: nil)) }
    return steps
  }
}
