internal import CLinux
public import Linux

/// The input thread: reads events, decodes them, and pushes the contacts that draw into the ring. It
/// neither allocates nor locks nor logs for an event; it does when a device comes or goes.
///
/// Give `run` to a `Thread` of its own. It opens devices as they appear, and goes on without one.
public final class InputLoop: Sendable {
  let options: InputOptions
  let ring: ContactRing
  let messages: Mailbox<InputMessage>
  let tell: @Sendable (InputNotice) -> Void

  /// `tell` is called on the input thread.
  public init(
    _ options: InputOptions, into ring: ContactRing, messages: Mailbox<InputMessage>,
    tell: @escaping @Sendable (InputNotice) -> Void
  ) {
    self.options = options
    self.ring = ring
    self.messages = messages
    self.tell = tell
  }

  /// Runs until it is told to stop.
  public func run() throws(SystemError) {
    switch options.source {
    case .devices(let choice):
      var loop = DeviceLoop(choice, of: self)
      try loop.run()
    case .recording(let recording, let repeats):
      var loop = try RecordingLoop(recording, repeats: repeats, of: self)
      try loop.run()
    }
  }
}
