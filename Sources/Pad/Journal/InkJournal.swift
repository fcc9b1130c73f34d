internal import CLinux
internal import Control
internal import Ink
internal import Linux
internal import Touch

/// The state of the pad in files, so that the next start continues after a crash.
///
/// In the runtime directory, which lasts until the next boot. Belongs to the save thread.
///
/// - `strokes`: the ink, as `StrokeRecords`. Removed strokes are cut off.
/// - `request.json`: the open request.
/// - `done`: exists from *Done* until the signature is in the spool, or its ink has changed.
/// - `publishing`: the signature whose item is about to be moved from the spool's `tmp` to `new`. If the item is no
///   longer in `tmp`, it was published, and `strokes` and `request.json` belong to it.
/// - `signed-ID`: a published signature that its client has not read.
/// - `crashes-ID`: counts the crashes of drawing it.
struct InkJournal: ~Copyable {
  static let strokesName = "strokes"
  static let requestName = "request.json"
  static let doneName = "done"
  static let publishingName = "publishing"
  /// Version 0.1.0 kept one signature, in this file.
  static let formerSignedName = "signed"
  /// The number of signatures kept: those that clients can get.
  static let signedLimit = ControlService.signatureLimit
  /// The folder for a journal that has crashed several starts.
  static let asideName = "set-aside"
  private static let names = [
    strokesName, requestName, doneName, publishingName, formerSignedName,
  ]

  private let folder: Folder
  private let strokes: FileDescriptor
  private var records: StrokeRecords
  /// The size of the file `strokes`, in bytes.
  private var size: Int
  /// The identities of the signatures kept, oldest first.
  private var signed: [String] = []

  /// Continues a journal. The recovered state stays readable throughout: the program may crash again at any time.
  init(in path: String, _ state: RecoveredState) throws(SystemError) {
    let folder = try Folder(path)
    var records = StrokeRecords(state.strokes)
    try InkJournal.replace(InkJournal.strokesName, records.new, in: folder)
    records.areWritten()
    var kept: [String] = []
    for signature in state.signed {
      guard let name = InkJournal.signedName(signature.id) else { continue }
      if try !folder.contains(name) {
        try InkJournal.replace(name, JournaledSignature.encode(signature), in: folder)
      }
      kept.append(signature.id)
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
    where !kept.contains(where: { InkJournal.signedName($0) == name }) {
      remove(name)
    }
    remove(InkJournal.formerSignedName)
    if !state.isDone { remove(InkJournal.doneName) }
    if state.request == nil { remove(InkJournal.requestName) }
    // Last: until now it decides what the other files mean.
    remove(InkJournal.publishingName)
  }

  /// Whether there is anything to recover.
  static func exists(in path: String) -> Bool {
    guard let folder = try? Folder(path) else { return false }
    return !signedNames(in: path).isEmpty
      || names.contains { name in
        guard let status = try? folder.status(of: name) else { return false }
        return name != strokesName || status.size > 0
      }
  }

  /// The file name of a signature; nil for an invalid identity.
  static func signedName(_ id: String) -> String? { name("signed-", id) }

  /// The name of the file that counts crashes of drawing a signature; nil for an invalid identity.
  static func crashesName(_ id: String) -> String? { name("crashes-", id) }

  private static func name(_ prefix: String, _ id: String) -> String? {
    isIdentity(id.utf8) ? prefix + id : nil
  }

  private static func isIdentity(_ bytes: some Collection<UInt8>) -> Bool {
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

  /// The file names of signatures, in the order of their identities, which is that of time.
  static func signedNames(in path: String) -> [String] {
    let prefix = "signed-".utf8
    return ((try? Folder.names(of: path)) ?? []).filter {
      $0.utf8.starts(with: prefix) && isIdentity($0.utf8.dropFirst(prefix.count))
    }
  }

  /// Moves the journal to a folder that starts ignore; returns the folder.
  ///
  /// Returns nil if moving failed; the journal is removed then.
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

  /// Moves one signature to a folder that starts ignore; returns the folder.
  ///
  /// Returns nil if moving failed; the signature is removed then.
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

  /// Removes the journal: one that is out of date must not be recovered.
  static func forget(in path: String) {
    guard let folder = try? Folder(path) else { return }
    for name in names + signedNames(in: path) { try? folder.remove(name) }
  }

  /// Removes the request, after the save thread has ended.
  static func forgetRequest(in path: String) { try? Folder(path).remove(requestName) }

  /// Removes a signature, which its client has read.
  static func forget(signed id: String, in path: String) {
    guard let folder = try? Folder(path) else { return }
    for name in [signedName(id), crashesName(id)] {
      if let name { try? folder.remove(name) }
    }
  }

  /// Records steps of the ink.
  mutating func record(_ steps: [GlassContact]) throws(SystemError) {
    for step in steps { records.add(step) }
    try write()
  }

  /// Records the open request; nil: none is open.
  mutating func record(_ request: PadRequest?) throws(SystemError) {
    guard let request else { return remove(InkJournal.requestName) }
    try InkJournal.replace(InkJournal.requestName, JournaledRequest.encode(request), in: folder)
  }

  /// Records whether *Done* was pressed.
  mutating func record(done: Bool) throws(SystemError) {
    guard done else { return remove(InkJournal.doneName) }
    try InkJournal.replace(InkJournal.doneName, [], in: folder)
  }

  /// Records the signature whose item is about to be published; nil: that failed.
  mutating func record(publishing signature: SavedSignature?) throws(SystemError) {
    guard let signature else { return remove(InkJournal.publishingName) }
    try InkJournal.replace(
      InkJournal.publishingName, JournaledSignature.encode(signature), in: folder)
  }

  /// Records that the item is in the spool's `new`.
  mutating func record(published id: String) throws(SystemError) {
    try clearGlass()
    guard let name = InkJournal.signedName(id) else { return remove(InkJournal.publishingName) }
    try InkJournal.rename(InkJournal.publishingName, to: name, in: folder)
    signed.append(id)
    while signed.count > InkJournal.signedLimit {
      InkJournal.forget(signed: signed.removeFirst(), in: folder.path)
    }
  }

  /// Removes a signature, which its client has read.
  mutating func forget(signed id: String) {
    guard let place = signed.firstIndex(of: id) else { return }
    signed.remove(at: place)
    InkJournal.forget(signed: id, in: folder.path)
  }

  /// Replaces all records, because steps were lost.
  mutating func rewrite(_ present: [Stroke]) throws(SystemError) {
    records.removeAll()
    records.add(present)
    try write()
  }

  /// Removes ink and request: the signature is in the spool.
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

  /// Replaces a file atomically. Does not wait for the disk: the journal ends with the boot.
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
