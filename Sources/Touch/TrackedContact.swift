internal import Ink

/// What a contact that is there may do.
struct TrackedContact: BitwiseCopyable, Sendable {
  enum Part: BitwiseCopyable, Sendable {
    /// It is let go until it is lifted.
    case ignored
    /// It may draw once it touches.
    case hovering
    /// It came down without a place of its own: this is what the contact before it left.
    case held(Sample)
    /// It draws: its number on the glass, its last sample, when it began, how many reports it had.
    case drawing(Int32, last: Sample, since: Int64, reports: Int32)
  }

  let device: Int32
  let contact: Int32
  var tool: ContactEvent.Tool
  var part = Part.ignored

  init(device: Int32, contact: Int32, tool: ContactEvent.Tool) {
    self.device = device
    self.contact = contact
    self.tool = tool
  }

  /// Whether such a tool writes.
  var isWriting: Bool { tool == .finger || tool == .pen }

  /// Whether it draws, or will.
  var isChosen: Bool {
    switch part {
    case .ignored, .hovering: false
    case .held, .drawing: true
    }
  }
}
