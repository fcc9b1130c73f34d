internal import CLinux
internal import Control
internal import Ink
internal import Linux
internal import Touch

/// The strokes on the glass and the request that they answer, written down as they are drawn, so that a
/// pad that was killed goes on where it was. In the runtime directory: it is for the next start of the
/// program, not for the next boot. Belongs to the save thread.
///
/// `strokes` has a record of 24 bytes for each step of the ink, little-endian: kind, three zeros, x, y,
/// pressure (Float), time (Int64); a stroke that is taken back is cut off. `request.json` is the open request.
/// `done` is there from *Done* on until the signature is in the spool or could not be saved. `publishing` is the
/// signature whose item is about to be moved from `tmp` to `new`: once that is not in `tmp` any more, it is
/// published, wherever it went since. As `signed-ID` it stays until its client has read it; `crashes-ID` counts the
/// starts that drawing it has ended.
struct InkJournal: ~Copyable {
  /// What a record says.
  enum Kind: UInt8 {
    case begins = 1
    case goesOn
    case goesOnAfterGap
    case ends
    /// Written by earlier programs.
    case takenBack
  }

  static let recordSize = 24
  static let strokesName = "strokes"
  static let requestName = "request.json"
  static let doneName = "done"
  static let publishingName = "publishing"
  /// That of an earlier program, which kept one signature.
  static let formerSignedName = "signed"
  /// As many signatures as clients can get.
  static let signedLimit = 4
  /// Where a journal lies that ended several starts.
  static let asideName = "set-aside"
  private static let names = [
    strokesName, requestName, doneName, publishingName, formerSignedName,
  ]

  private let folder: Folder
  private let strokes: FileDescriptor
  /// What `strokes` has, and how many bytes that are.
  private var records: InkRecords
  private var size: Int
  /// The signatures that are kept, the oldest first.
  private var signed: [String] = []

  /// Goes on after a start with what was left. What was left is there throughout: the program may be
  /// killed again at any instant.
  init(in path: String, _ left: RecoveredState) throws(SystemError) {
    let folder = try Folder(path)
    var records = InkRecords(left.strokes)
    try InkJournal.replace(InkJournal.strokesName, records.new, in: folder)
    records.areWritten()
    var kept: [String] = []
    for note in left.signed {
      guard let name = InkJournal.signedName(note.signature.id) else { continue }
      if try !folder.contains(name) { try InkJournal.replace(name, note.bytes, in: folder) }
      kept.append(note.signature.id)
    }
    let file = path + "/" + InkJournal.strokesName
    let strokes = try SystemError.naming("open", file) { () throws(Errno) in
      try FileDescriptor(opening: file, O_WRONLY | O_APPEND | O_NOFOLLOW)
    }
    self.folder = folder
    self.strokes = strokes
    self.records = records
    size = records.kept
    signed = kept
    for name in InkJournal.signedNames(in: path)
    where !kept.contains(where: { InkJournal.signedName($0)?.isSame(as: name) == true }) {
      remove(name)
    }
    remove(InkJournal.formerSignedName)
    if !left.isDone { remove(InkJournal.doneName) }
    if left.request == nil { remove(InkJournal.requestName) }
    // Last: until now it says what the others are worth.
    remove(InkJournal.publishingName)
  }

  /// Whether there is anything that a start would go on with.
  static func isThere(in path: String) -> Bool {
    guard let folder = try? Folder(path) else { return false }
    return !signedNames(in: path).isEmpty
      || names.contains { name in
        guard let status = try? folder.status(of: name) else { return false }
        return name != strokesName || status.size > 0
      }
  }

  /// The file of a signature; nil for an identity that no pad gives.
  static func signedName(_ id: String) -> String? { name("signed-", id) }

  /// The file that counts the crashes of drawing a signature; nil for an identity that no pad gives.
  static func crashesName(_ id: String) -> String? { name("crashes-", id) }

  private static func name(_ prefix: String, _ id: String) -> String? {
    isIdentity(Array(id.utf8)[...]) ? prefix + id : nil
  }

  private static func isIdentity(_ bytes: ArraySlice<UInt8>) -> Bool {
    (1...64).contains(bytes.count)
      && bytes.allSatisfy {
        switch $0 {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
          UInt8(ascii: "-"):
          true
        default: false
        }
      }
  }

  /// The files of signatures, in the order of their identities, which is that of time.
  static func signedNames(in path: String) -> [String] {
    let prefix = Array("signed-".utf8)
    return ((try? Folder.names(of: path)) ?? []).filter {
      let name = Array($0.utf8)
      return name.starts(with: prefix) && isIdentity(name.dropFirst(prefix.count))
    }
  }

  /// Moves the whole journal out of the way of the next start. Returns where to; nil where nothing could
  /// be moved, and it was removed.
  static func setAside(in path: String) -> String? {
    defer { forget(in: path) }
    let names = names + signedNames(in: path)
    do throws(SystemError) {
      let folder = try Folder(path)
      try folder.removeTree(asideName)
      let aside = try folder.makeFolder(asideName, mode: 0o700)
      for name in names where try folder.contains(name) {
        try folder.rename(name, to: aside, as: name)
      }
      return aside.path
    } catch {
      return nil
    }
  }

  /// Moves one signature out of the way of the next start. Returns where to; nil where it could not be moved,
  /// and was removed.
  static func setAside(signed id: String, in path: String) -> String? {
    guard let name = signedName(id) else { return nil }
    defer { forget(signed: id, in: path) }
    do throws(SystemError) {
      let folder = try Folder(path)
      if try !folder.contains(asideName) { _ = try folder.makeFolder(asideName, mode: 0o700) }
      let aside = try Folder(path + "/" + asideName)
      try folder.rename(name, to: aside, as: name)
      return aside.path
    } catch {
      return nil
    }
  }

  /// What cannot be kept up to date must not be believed at the next start.
  static func forget(in path: String) {
    guard let folder = try? Folder(path) else { return }
    for name in names + signedNames(in: path) { try? folder.remove(name) }
  }

  /// The open request is over, although nobody writes the journal any more.
  static func forgetRequest(in path: String) { try? Folder(path).remove(requestName) }

  /// A client has read its signature.
  static func forget(signed id: String, in path: String) {
    guard let folder = try? Folder(path) else { return }
    for name in [signedName(id), crashesName(id)] {
      if let name { try? folder.remove(name) }
    }
  }

  /// Notes what the ink did.
  mutating func note(_ steps: [GlassContact]) throws(SystemError) {
    for step in steps { records.add(step) }
    try write()
  }

  /// Notes the open request, or that there is none.
  mutating func note(_ request: JournaledRequest?) throws(SystemError) {
    guard let request else { return remove(InkJournal.requestName) }
    try InkJournal.replace(InkJournal.requestName, request.bytes, in: folder)
  }

  /// Notes that *Done* was pressed, or that it came to nothing.
  mutating func note(done: Bool) throws(SystemError) {
    guard done else { return remove(InkJournal.doneName) }
    try InkJournal.replace(InkJournal.doneName, [], in: folder)
  }

  /// Notes whose item is moved from the spool's `tmp` to `new` next; nil: none after all.
  mutating func note(publishing signature: SavedSignature?) throws(SystemError) {
    guard let signature else { return remove(InkJournal.publishingName) }
    try InkJournal.replace(
      InkJournal.publishingName, JournaledSignature(signature).bytes, in: folder)
  }

  /// Notes that it is in `new`.
  mutating func note(published id: String) throws(SystemError) {
    try clearGlass()
    guard let name = InkJournal.signedName(id) else { return remove(InkJournal.publishingName) }
    try InkJournal.rename(InkJournal.publishingName, to: name, in: folder)
    signed.append(id)
    while signed.count > InkJournal.signedLimit {
      InkJournal.forget(signed: signed.removeFirst(), in: folder.path)
    }
  }

  /// The client that asked for this signature has read it.
  mutating func forget(signed id: String) {
    guard let place = signed.firstIndex(where: { $0.isSame(as: id) }) else { return }
    signed.remove(at: place)
    InkJournal.forget(signed: id, in: folder.path)
  }

  /// Steps were lost: the strokes as they are.
  mutating func rewrite(_ present: [Stroke]) throws(SystemError) {
    records.removeAll()
    records.add(present)
    try write()
  }

  /// Nothing is on the glass that has not been saved, and nothing is asked for.
  mutating func clearGlass() throws(SystemError) {
    records.removeAll()
    try write()
    remove(InkJournal.requestName)
    remove(InkJournal.doneName)
  }

  private mutating func write() throws(SystemError) {
    let (path, number) = (folder.path + "/" + InkJournal.strokesName, strokes.number)
    if records.kept < size {
      let kept = off_t(records.kept)
      try SystemError.naming("ftruncate", path) { () throws(Errno) in
        _ = try Errno.check { ftruncate(number, kept) }
      }
    }
    if !records.new.isEmpty {
      try SystemError.naming("write", path) { () throws(Errno) in
        try unsafe strokes.writeAll(records.new.span.bytes)
      }
    }
    records.areWritten()
    size = records.kept
  }

  private func remove(_ name: String) { try? folder.remove(name) }

  /// Whole or not at all; no disk is waited for.
  private static func replace(
    _ name: String, _ bytes: [UInt8], in folder: borrowing Folder
  ) throws(SystemError) {
    let draft = name + ".new"
    try? folder.remove(draft)
    let file = try folder.makeFile(draft, mode: 0o600)
    try SystemError.naming("write", folder.path + "/" + draft) { () throws(Errno) in
      try unsafe file.writeAll(bytes.span.bytes)
    }
    try rename(draft, to: name, in: folder)
  }

  private static func rename(
    _ old: String, to new: String, in folder: borrowing Folder
  ) throws(SystemError) {
    let number = folder.descriptor.number
    try SystemError.naming("rename", folder.path + "/" + new) { () throws(Errno) in
      _ = try Errno.check { unsafe renameat(number, old, number, new) }
    }
  }
}

extension InkJournal.Kind {
  /// Nil: everything was wiped.
  init?(_ step: GlassContact) {
    switch step.phase {
    case .down: self = .begins
    case .move: self = step.isAfterGap ? .goesOnAfterGap : .goesOn
    case .up: self = .ends
    case .cancel:
      guard step.isMistake else { return nil }
      self = .takenBack
    }
  }
}
