#if DEBUG
  @testable import Spool

  /// Histories of state machines, whose steps are read from bytes, against models.
  extension FuzzTarget {
    static let histories = [
      FuzzTarget(name: "session", run: session),
      FuzzTarget(name: "queue", run: queue),
      FuzzTarget(name: "spool", run: spool),
    ]

    @Sendable private static func session(_ bytes: [UInt8]) -> String? {
      var bytes = FuzzBytes(bytes)
      var history = SessionHistory(&bytes)
      while !bytes.isEmpty { if let fault = history.step(&bytes) { return fault } }
      return history.end()
    }

    @Sendable private static func queue(_ bytes: [UInt8]) -> String? {
      var bytes = FuzzBytes(bytes)
      var history = QueueHistory(&bytes)
      while !bytes.isEmpty { if let fault = history.step(&bytes) { return fault } }
      return history.end()
    }

    /// In memory; at most 200 steps, each of which reads all items.
    @Sendable private static func spool(_ bytes: [UInt8]) -> String? {
      var bytes = FuzzBytes(Array(bytes.prefix(400)))
      do throws(SpoolError) {
        var history = try SpoolHistory()
        while !bytes.isEmpty { if let fault = try history.step(&bytes) { return fault } }
        return nil
      } catch { return error.text }
    }
  }
#endif
