internal import Linux

/// The threads that the main one has started, joined in the order in which data flows: what the input
/// thread saw is drawn, and what was sent is saved.
struct PadThreads: ~Copyable {
  private var render: Thread?
  private var save: Thread?

  init() {}

  mutating func startRender(_ run: @escaping @Sendable () -> Void) throws(Errno) {
    render = try Thread(name: "paraph-render", run: run)
  }

  mutating func startSave(_ run: @escaping @Sendable () -> Void) throws(Errno) {
    save = try Thread(name: "paraph-save", run: run)
  }

  /// Ends all that were started.
  mutating func stop(
    input: PadInput?, render messages: Mailbox<RenderMessage>, save jobs: Mailbox<SaveMessage>
  ) {
    input?.stop()
    messages.post(.stop)
    if let thread = render.take() { thread.join() }
    jobs.post(.stop)
    if let thread = save.take() { thread.join() }
  }
}
