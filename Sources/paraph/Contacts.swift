internal import ArgumentParser
import Touch

struct Contacts: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Lists every contact of a recording, as the device reports it.",
    discussion: """
      One line for each contact and each frame that says something about it, separated by tabs: \
      contact (from 0), slot (0 for single touch and pens), time in ns, x and y in device units, \
      pressure or -, and down, move, up or cancel. A contact is down once both its axes are known; one \
      that ends before is up with - for x and y. Palms, hovering contacts and ghosts are listed too.
      """)

  @Argument(help: "A recording of evemu or libinput, or handwriting in .svc.", completion: .file())
  var file: String

  func run() throws {
    let recording: Recording
    do { recording = try Recording(contentsOf: file) } catch { throw ToolError(error) }
    var output = StandardOutput()
    switch recording {
    case .device(let device): try list(device, &output)
    case .handwriting(let handwriting): try list(handwriting, &output)
    }
    try output.flush()
  }

  private func list(_ recording: DeviceRecording, _ output: inout StandardOutput) throws {
    var decoder = ContactDecoder(recording.device, state: recording.state)
    for event in recording.events where decoder.put(event) {
      for index in 0..<decoder.frame.count { try output.line(decoder.frame[index].line) }
    }
  }

  /// Of handwriting, every stroke is a contact; it leaves where its last row is.
  private func list(_ handwriting: Handwriting, _ output: inout StandardOutput) throws {
    for (number, stroke) in handwriting.strokes.enumerated() {
      for (index, row) in stroke.enumerated() {
        try output.line(row.line(of: number, index == 0 ? .down : .move))
      }
      if let last = stroke.last { try output.line(last.line(of: number, .up)) }
    }
  }
}

extension ContactEvent {
  /// The line of `paraph contacts`.
  var line: String {
    let place = position.map { "\($0.x)\t\($0.y)" } ?? "-\t-"
    let pressure = pressure.map { "\($0)" } ?? "-"
    return "\(contact)\t\(slot)\t\(time)\t\(place)\t\(pressure)\t\(phase.rawValue)"
  }
}

extension Handwriting.Row {
  fileprivate func line(of contact: Int, _ phase: ContactEvent.Phase) -> String {
    func text(_ value: Double) -> String {
      value == value.rounded() && abs(value) < 1e15 ? "\(Int64(value))" : "\(value)"
    }
    return "\(contact)\t0\t\(time)\t\(text(x))\t\(text(y))\t\(text(pressure))\t\(phase.rawValue)"
  }
}
