internal import CLinux
internal import JSON
internal import Linux

/// The state of one item at one sink: the file `state/ID/SINK`, or a delivery record.
public struct SinkState: Equatable, Sendable {
  /// The result so far.
  public enum Outcome: String, Sendable {
    /// Not delivered yet.
    case pending
    /// Delivered.
    case delivered
    /// Rejected permanently.
    case never
  }

  /// The result so far.
  public var outcome: Outcome
  /// The number of failed attempts.
  public var attempts: Int
  /// Why the last attempt failed, without personal data.
  public var reason: String?
  /// Whether the last attempt was rejected, but not permanently.
  public var isRejected: Bool

  /// By default, the state before the first attempt.
  public init(
    _ outcome: Outcome = .pending, attempts: Int = 0, reason: String? = nil,
    isRejected: Bool = false
  ) {
    self.outcome = outcome
    self.attempts = attempts
    self.reason = reason
    self.isRejected = isRejected
  }

  fileprivate static let sizeLimit = 8192
  /// Leaves room for an increment where `Int` has 32 bits: other users of the group can write the file.
  private static let attemptsRange: ClosedRange<Int64> = 0...(1 << 30)

  var bytes: [UInt8] {
    var members: [(String, JSONValue)] = [
      ("outcome", .text(outcome.rawValue)), ("attempts", .integer(attempts)),
      ("reason", .text(reason)),
    ]
    if isRejected { members.append(("rejected", .flag(true))) }
    return JSONValue.object(members).bytes() + [UInt8(ascii: "\n")]
  }

  /// Returns nil for damaged text, for example after a power cut.
  init?(_ bytes: [UInt8]) {
    let limits = JSONValue.Limits(size: Self.sizeLimit, depth: 2)
    guard let value = try? JSONValue.parse(bytes, limits: limits),
      let outcome = value["outcome"]?.text.flatMap({ Outcome(rawValue: $0) }),
      let attempts = value["attempts"]?.integer, Self.attemptsRange.contains(attempts)
    else { return nil }
    self.init(
      outcome, attempts: Int(attempts), reason: value["reason"]?.text,
      isRejected: value["rejected"]?.flag == true)
  }
}

extension Spool {
  /// The ids of all items with records, some of them twice.
  public borrowing func idsWithState() throws(SpoolError) -> [ItemID] {
    var ids = try Self.ids(in: state)
    do throws(SystemError) {
      try forEachSink { folder, _ throws(SystemError) in
        try folder.forEachName { name in
          if let id = ItemID(name) { ids.append(id) }
          return true
        }
      }
    } catch { throw .system(error) }
    return ids
  }

  /// Reads the states of an item by sink. A foreign or damaged record counts as absent.
  public borrowing func states(of id: ItemID) throws(SpoolError) -> [String: SinkState] {
    var states: [String: SinkState] = [:]
    do throws(SystemError) {
      do throws(SystemError) {
        let folder = try Folder(id.text, in: state)
        for name in try folder.names() where !name.utf8.contains(UInt8(ascii: ".")) {
          if let state = try Self.readState(name, in: folder) { states[name] = state }
        }
      } catch { if !error.isForeign { throw error } }
      try forEachSink { folder, sink throws(SystemError) in
        guard try folder.contains(id.text), try folder.status(of: id.text).kind == .file else {
          return
        }
        states[sink] = SinkState(.delivered)
      }
    } catch { throw .system(error) }
    return states
  }

  static func readState(
    _ name: String, in folder: borrowing Folder
  ) throws(SystemError) -> SinkState? {
    do throws(SystemError) {
      let file = try folder.openFile(name)
      let bytes = try SystemError.naming("read", folder.path + "/" + name) {
        () throws(Errno) in
        if try file.status().kind != .file { throw Errno(ELOOP) }
        return try file.readAll(limit: SinkState.sizeLimit)
      }
      return bytes.flatMap { SinkState($0) }
    } catch {
      if error.isForeign { return nil }
      throw error
    }
  }

  /// Records the state of an item that a sink does not have. If not `durable`, a power cut may restore the
  /// previous state.
  public borrowing func record(
    _ sinkState: SinkState, of sink: String, for id: ItemID, durable: Bool
  ) throws(SpoolError) {
    do throws(SystemError) {
      let folder = try stateFolder(of: id)
      try folder.replaceFile(sink, sinkState.bytes, synced: durable)
      if durable { try state.sync() }
    } catch { throw .system(error) }
  }

  /// Opens or creates the folder of an item's states. Replaces a foreign object.
  borrowing func stateFolder(of id: ItemID) throws(SystemError) -> Folder {
    do throws(SystemError) {
      return try Folder(id.text, in: state)
    } catch {
      if !error.isForeign { throw error }
      if error.errno.rawValue != ENOENT { try state.removeTree(id.text) }
    }
    return try state.makeFolder(id.text, mode: Self.folderMode)
  }

  /// Removes the records of items that no longer exist.
  public borrowing func removeStaleStates() throws(SpoolError) {
    for id in try idsWithState() {
      do throws(SystemError) {
        // In the order in which a retry moves an item, so that one that moves meanwhile is found.
        if try failed.contains(id.text) { continue }
        if try delivered.contains(id.text) { continue }
        if try new.contains(id.text) { continue }
        try removeState(of: id)
      } catch { throw .system(error) }
    }
  }

  /// Removes all records of an item.
  borrowing func removeState(of id: ItemID) throws(SystemError) {
    try state.removeTree(id.text)
    try removeDeliveries(of: id)
  }

  /// Removes the state of an item at one sink.
  borrowing func removeState(of sink: String, for id: ItemID) throws(SystemError) {
    let folder = try Folder(id.text, in: state)
    try folder.remove(sink)
    try folder.sync()
  }

  /// Moves the states of an item to `failed/records-ID`, if possible with the reason beside them.
  ///
  /// Attempts and rejections are counted from 0 again; delivery records stay. Returns the new name, or nil if
  /// there were no states.
  public borrowing func quarantineStates(
    of id: ItemID, reason: String
  ) throws(SpoolError) -> String? {
    let name = "records-" + id.text
    do throws(SystemError) {
      try failed.removeTree(name)
      do throws(SystemError) {
        try state.rename(id.text, to: failed, as: name)
      } catch {
        if error.errno.rawValue == ENOENT { return nil }
        throw error
      }
      // The move counts even if the disk is full.
      do throws(SystemError) { try writeReason(reason, for: name) } catch {}
      try failed.sync()
      try state.sync()
    } catch { throw .system(error) }
    return name
  }
}
