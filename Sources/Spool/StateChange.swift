internal import CLinux
internal import Linux
internal import Nettle

/// The final state of an item that waits in `new`.
public enum StateChange: Equatable, Sendable {
  /// All sinks have it: `new` → `delivered`.
  case delivered(ItemID)
  /// A sink never accepts it, or it is invalid: `new` → `failed`, with the reason.
  case failed(ItemID, reason: String)

  /// The item.
  public var id: ItemID {
    switch self {
    case .delivered(let id), .failed(let id, _): id
    }
  }
}

extension Spool {
  /// The suffix of the file beside a failed item that holds the reason.
  public static let reasonSuffix = ".reason"
  private static let reasonLimit = 16 << 10

  /// Moves an item to its final folder, durably.
  ///
  /// Returns false for a failed item that was removed meanwhile. A delivered item that was removed
  /// meanwhile, or moved before, is no error.
  @discardableResult
  public borrowing func commit(_ change: StateChange) throws(SpoolError) -> Bool {
    switch change {
    case .delivered(let id):
      try spooling { () throws(SystemError) in try moveToDelivered(id) }
      return true
    case .failed(let id, let reason):
      do throws(SystemError) {
        try moveToFailed(Array(id.text.utf8), as: id.text, reason: reason)
        return true
      } catch {
        if error.errno.rawValue == ENOENT { return false }
        throw .system(error)
      }
    }
  }

  /// Moves a foreign entry of `new` into `failed`, with its old name and the reason beside it. Returns its new
  /// name.
  public borrowing func moveForeign(
    _ name: [UInt8], as id: ItemID, reason: String
  ) throws(SpoolError) -> String {
    let newName = "foreign-" + id.text
    try spooling { () throws(SystemError) in
      try moveToFailed(
        name, as: newName, reason: "was named \(Self.quoted(name)): \(reason)")
    }
    return newName
  }

  /// Moves a failed item back to `new`. Only sinks that do not have it receive it.
  public borrowing func retry(_ id: ItemID) throws(SpoolError) {
    for (sink, known) in try states(of: id) where known.outcome != .delivered {
      try spooling { () throws(SystemError) in try removeState(of: sink, for: id) }
    }
    try spooling { () throws(SystemError) in
      try failed.move(id.text, to: new, as: id.text)
      try new.sync()
      try failed.removeTree(id.text + Self.reasonSuffix)
      try failed.sync()
    }
  }

  /// Removes a delivered item and its records.
  public borrowing func purge(_ id: ItemID) throws(SpoolError) {
    try spooling { () throws(SystemError) in
      try delivered.removeTree(id.text)
      try removeState(of: id)
    }
  }

  /// Removes an entry and its records permanently. Moves it to `tmp` first, so that readers never see a part
  /// of it.
  public borrowing func drop(_ name: String, from place: Place) throws(SpoolError) {
    let folder = try open(place)
    let trash = "dropped-" + name
    try spooling { () throws(SystemError) in
      try tmp.removeTree(trash)
      try folder.rename(name, to: tmp, as: trash)
      try folder.sync()
      try tmp.removeTree(trash)
      if place == .failed { try folder.removeTree(name + Self.reasonSuffix) }
      if let id = ItemID(name) { try removeState(of: id) }
    }
  }

  /// Returns the recorded reason of an entry in `failed`.
  public borrowing func reason(of name: String) throws(SpoolError) -> String? {
    do throws(SystemError) {
      let file = try failed.openFile(name + Self.reasonSuffix)
      let bytes = try SystemError.naming("read", failed.path + "/" + name) {
        () throws(Errno) in try file.readAll(limit: Self.reasonLimit)
      }
      return bytes.map { String(decoding: $0, as: UTF8.self) }
    } catch {
      if error.errno.rawValue == ENOENT { return nil }
      throw .system(error)
    }
  }

  private borrowing func moveToDelivered(_ id: ItemID) throws(SystemError) {
    do throws(SystemError) {
      try new.move(id.text, to: delivered, as: id.text)
    } catch {
      switch error.errno.rawValue {
      case ENOENT: break
      case EEXIST:
        try delivered.removeTree(id.text)
        try new.move(id.text, to: delivered, as: id.text)
      default: throw error
      }
    }
    try delivered.sync()
    try new.sync()
  }

  private borrowing func moveToFailed(
    _ name: [UInt8], as newName: String, reason: String
  ) throws(SystemError) {
    // An existing entry of this name keeps its own reason.
    let isTaken = try failed.contains(newName)
    if !isTaken { try writeReasonIfPossible(reason, for: newName) }
    do throws(SystemError) {
      try new.move(name, to: failed, as: newName)
    } catch {
      if !isTaken && error.errno.rawValue != EEXIST {
        try failed.removeTree(newName + Self.reasonSuffix)
      }
      throw error
    }
    // The existing entry was removed meanwhile.
    if isTaken { try writeReasonIfPossible(reason, for: newName) }
    try failed.sync()
    try new.sync()
  }

  /// Skips the reason on a full disk. The log contains it too.
  private borrowing func writeReasonIfPossible(
    _ reason: String, for name: String
  ) throws(SystemError) {
    do throws(SystemError) {
      try writeReason(reason, for: name)
    } catch {
      if !error.isFullDisk { throw error }
      try failed.removeTree(name + Self.reasonSuffix)
    }
  }

  borrowing func writeReason(_ reason: String, for name: String) throws(SystemError) {
    try failed.removeTree(name + Self.reasonSuffix)
    try failed.writeFile(name + Self.reasonSuffix, Array((reason + "\n").utf8))
  }

  /// A name in quotes, with control characters and non-ASCII bytes escaped.
  private static func quoted(_ name: [UInt8]) -> String {
    var text = "\""
    for byte in name.prefix(255) {
      if byte >= 0x20 && byte < 0x7f && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\") {
        text.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        text += "\\x" + Hexadecimal.text([byte])
      }
    }
    return text + "\""
  }
}
