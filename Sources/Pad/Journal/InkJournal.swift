internal import CLinux
internal import Control
internal import Ink
internal import Linux
internal import Touch

/// The state of the pad in a file of `JournalRecord`s, so that the next start continues after a crash.
///
/// In the runtime directory, which lasts until the next boot. Belongs to the save thread. `RecoveredState` reads it:
/// its state is that after the last whole record. Records are only appended; a journal without state is emptied,
/// and one that has become long is rewritten. Both are atomic.
///
/// A kill between `publishing` and `published` leaves open whether the item was moved: the spool is on another
/// filesystem, and no order of writes makes both one step. The next start asks the spool for the item's identity.
///
/// Beside it, `crashes-ID` counts the crashes of drawing a signature.
struct InkJournal: ~Copyable {
  static let name = "journal"
  /// The number of signatures kept: those that clients can get.
  static let signedLimit = ControlService.signatureLimit
  /// The folder for a journal that has crashed several starts.
  static let asideName = "set-aside"
  private static let crashesPrefix = "crashes-"
  private static let signedPrefix = "signed-"
  /// The growth in bytes after which a journal is rewritten, in addition to its size then.
  private static let growth = 1 << 20

  private let folder: Folder
  private var file: FileDescriptor
  private var size: Int
  /// The size at which the journal is rewritten.
  private var sizeLimit: Int
  private var contents: Contents
  /// Records that a full disk did not take, to be written before the next ones.
  private var owed: [UInt8] = []

  /// Whether a journal has any state. Errs on the side of having some.
  private struct Contents {
    var hasInk: Bool
    var hasRequest: Bool
    var isPublishing: Bool
    /// The identities of the signatures kept, oldest first.
    var signed: [String]

    var isEmpty: Bool { !hasInk && !hasRequest && !isPublishing && signed.isEmpty }

    init(_ state: RecoveredState) {
      hasInk = !state.strokes.isEmpty
      hasRequest = state.request.hasValue
      isPublishing = state.publishing.hasValue
      signed = state.signed.map { $0.id }
    }
  }

  /// Continues a journal. The recovered state stays readable throughout: the program may crash again at any time.
  init(in path: String, _ state: RecoveredState) throws(SystemError) {
    let folder = try Folder(path)
    let bytes = state.journal()
    let file = try InkJournal.replace(bytes, in: folder)
    // Until now it was the one that is read.
    try EarlierJournal.remove(in: path)
    let contents = Contents(state)
    let counters = contents.signed.map { InkJournal.crashesName($0) }
    for name in (try? folder.names()) ?? []
    where name.utf8.starts(with: InkJournal.crashesPrefix.utf8) && !counters.contains(name) {
      try? folder.remove(name)
    }
    self.folder = folder
    self.file = file
    size = bytes.count
    sizeLimit = 2 * bytes.count + InkJournal.growth
    self.contents = contents
  }

  /// Whether there is anything to recover.
  static func exists(in path: String) -> Bool {
    guard let folder = try? Folder(path) else { return false }
    return ((try? folder.status(of: name).size) ?? 0) > 0 || EarlierJournal.hasState(in: path)
  }

  /// The name of the file that counts crashes of drawing a signature; nil for an invalid identity.
  static func crashesName(_ id: String) -> String? { fileName(crashesPrefix, id) }

  private static func fileName(_ prefix: String, _ id: String) -> String? {
    let isIdentity =
      (1...64).contains(id.utf8.count)
      && id.utf8.allSatisfy {
        switch $0 {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
          UInt8(ascii: "-"):
          true
        default: false
        }
      }
    return isIdentity ? prefix + id : nil
  }

  // MARK: - Setting aside

  /// Moves the journal to a folder that starts ignore; returns the folder.
  ///
  /// Returns nil if moving failed; the journal is removed then.
  static func setAside(in path: String) -> String? {
    defer { forget(in: path) }
    do throws(SystemError) {
      let folder = try Folder(path)
      try folder.removeTree(asideName)
      let aside = try folder.makeFolder(asideName, mode: 0o700)
      for name in [name] + EarlierJournal.names(in: path) where try folder.contains(name) {
        try folder.rename(name, to: aside, as: name)
      }
      return aside.path
    } catch {
      return nil
    }
  }

  /// Copies a signature to a folder that starts ignore; returns the folder, or nil if that failed.
  static func setAside(_ signature: SavedSignature, in path: String) -> String? {
    guard let name = fileName(signedPrefix, signature.id) else { return nil }
    do throws(SystemError) {
      let folder = try Folder(path)
      if try !folder.contains(asideName) { _ = try folder.makeFolder(asideName, mode: 0o700) }
      let aside = try Folder(path + "/" + asideName)
      try aside.removeTree(name)
      let file = try aside.makeFile(name, mode: 0o600)
      try SystemError.naming("write", aside.path + "/" + name) { () throws(Errno) in
        try file.writeAll(JournaledSignature.encode(signature))
      }
      return aside.path
    } catch {
      return nil
    }
  }

  /// Removes the journal: one that is out of date must not be recovered.
  static func forget(in path: String) {
    try? EarlierJournal.remove(in: path)
    try? Folder(path).remove(name)
  }

  // MARK: - Records

  /// Records steps of the ink.
  ///
  /// - Parameter request: Recorded in the same write, so that no crash leaves ink without it; nil: none.
  mutating func record(
    _ steps: [GlassContact], answering request: PadRequest? = nil
  ) throws(SystemError) {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(steps.count * StrokeRecords.size)
    if let request {
      contents.hasRequest = true
      JournalRecord.request(request).append(to: &bytes)
    }
    for step in steps {
      let record = JournalRecord(step)
      if case .wiped = record { contents.hasInk = false } else { contents.hasInk = true }
      record.append(to: &bytes)
    }
    try append(bytes)
  }

  /// Replaces all ink, because steps were lost.
  mutating func record(_ strokes: [Stroke]) throws(SystemError) {
    var bytes: [UInt8] = []
    JournalRecord.wiped.append(to: &bytes)
    StrokeRecords.forEach(of: strokes) { JournalRecord.ink($0, $1).append(to: &bytes) }
    contents.hasInk = !strokes.isEmpty
    try append(bytes)
  }

  /// Records the open request; nil: none is open.
  mutating func record(_ request: PadRequest?) throws(SystemError) {
    contents.hasRequest = request.hasValue
    if request.hasValue { try append(.request(request)) } else { try appendEnd(.request(nil)) }
  }

  /// Records that *Done* was pressed.
  ///
  /// - Parameter shown: What was shown beside the ink.
  mutating func recordDone(_ shown: ShownContent) throws(SystemError) {
    do throws(SystemError) {
      try append(.done(shown))
    } catch {
      // The bare record nearly always fits in the last page of the file's memory.
      guard error.errno.rawValue == ENOSPC else { throw error }
      try append(.done(nil))
    }
  }

  /// Records the signature whose item is about to be published; nil: that failed.
  mutating func record(publishing signature: SavedSignature?) throws(SystemError) {
    if !signature.hasValue && !contents.isPublishing { return }
    contents.isPublishing = signature.hasValue
    try append(signature.map { .publishing($0) } ?? .notPublished)
  }

  /// Records that the item is in the spool's `new`. Ends ink and request.
  mutating func record(published id: String) throws(SystemError) {
    (contents.hasInk, contents.hasRequest, contents.isPublishing) = (false, false, false)
    contents.signed.append(id)
    while contents.signed.count > InkJournal.signedLimit {
      removeCounter(of: contents.signed.removeFirst())
    }
    try append(.published)
  }

  /// Removes a signature, which its client has read.
  mutating func forget(signed id: String) throws(SystemError) {
    guard let place = contents.signed.firstIndex(of: id) else { return }
    contents.signed.remove(at: place)
    removeCounter(of: id)
    try appendEnd(.read(id))
  }

  /// Adds records to a journal that has no writer any more. Its ink stays even if that fails.
  static func amend(in path: String, _ records: [JournalRecord]) {
    guard !records.isEmpty, exists(in: path) else { return }
    do throws(SystemError) {
      var state = try RecoveredState(in: path)
      for record in records { state.apply(record) }
      if EarlierJournal.exists(in: path) {
        _ = try InkJournal(in: path, state)
      } else {
        try append(records, isEmptied: Contents(state).isEmpty, in: path)
      }
    } catch {
      // A signature that was read must not be offered again. Ink matters more: no other file has it.
      if let left = try? RecoveredState(in: path), left.strokes.isEmpty { forget(in: path) }
    }
  }

  /// Appends records to the journal, or empties it.
  private static func append(
    _ records: [JournalRecord], isEmptied: Bool, in path: String
  ) throws(SystemError) {
    var bytes: [UInt8] = []
    for record in records { record.append(to: &bytes) }
    let content = bytes
    let folder = try Folder(path)
    try SystemError.naming("write", path + "/" + name) { () throws(Errno) in
      let file = try FileDescriptor(
        opening: name, in: folder.descriptor, O_WRONLY | O_APPEND | O_NOFOLLOW)
      let number = file.number
      if isEmptied {
        _ = try Errno.check { ftruncate(number, 0) }
      } else {
        try file.writeAll(content)
      }
    }
  }

  // MARK: - Writing

  private func removeCounter(of id: String) {
    if let name = InkJournal.crashesName(id) { try? folder.remove(name) }
  }

  private mutating func append(_ record: JournalRecord) throws(SystemError) {
    var bytes: [UInt8] = []
    record.append(to: &bytes)
    let path = folder.path + "/" + InkJournal.name
    try SystemError.naming("write", path) { () throws(Errno) in
      // A removed file takes records that no start can read.
      guard try file.status().links > 0 else { throw Errno(ENOENT) }
    }
    try append(bytes)
  }

  private mutating func append(_ bytes: [UInt8]) throws(SystemError) {
    let (path, number) = (folder.path + "/" + InkJournal.name, file.number)
    if contents.isEmpty {
      if size == 0 { return }
      try SystemError.naming("ftruncate", path) { () throws(Errno) in
        _ = try Errno.check { ftruncate(number, 0) }
      }
      (size, owed) = (0, [])
      return
    }
    let (content, end) = (owed + bytes, size)
    try SystemError.naming("write", path) { () throws(Errno) in
      do throws(Errno) {
        try file.writeAll(content)
      } catch {
        // Records after one that is cut could not be read.
        _ = try Errno.check { ftruncate(number, off_t(end)) }
        throw error
      }
    }
    size += content.count
    owed = []
    if size > sizeLimit { try rewrite() }
  }

  /// Appends the record of an end. On a full disk it waits for the next record: the ink is not given up for it.
  private mutating func appendEnd(_ record: JournalRecord) throws(SystemError) {
    do throws(SystemError) {
      try append(record)
    } catch {
      guard contents.hasInk, error.errno.rawValue == ENOSPC else { throw error }
      record.append(to: &owed)
    }
  }

  /// Shortens the journal. If the disk has no room for the shorter copy, the present journal stays
  /// in use: it is complete.
  private mutating func rewrite() throws(SystemError) {
    let path = folder.path + "/" + InkJournal.name
    let bytes: [UInt8] = try SystemError.naming("read", path) { () throws(Errno) in
      let found = try FileDescriptor(
        opening: InkJournal.name, in: folder.descriptor, O_RDONLY | O_NOFOLLOW
      ).readAll(limit: size, expected: size)
      // The journal has exactly what was written.
      guard let content = found, content.count == size else { throw Errno(EIO) }
      return content
    }
    let state = RecoveredState(bytes)
    let shorter = state.journal(keepsDrawing: true)
    do throws(SystemError) {
      file = try InkJournal.replace(shorter, in: folder)
      size = shorter.count
      contents = Contents(state)
    } catch {}
    sizeLimit = 2 * size + InkJournal.growth
  }

  /// Replaces the journal atomically. Does not wait for the disk: the journal ends with the boot.
  private static func replace(
    _ bytes: [UInt8], in folder: borrowing Folder
  ) throws(SystemError) -> FileDescriptor {
    let (path, draft) = (folder.path + "/" + name, name + ".new")
    try? folder.remove(draft)
    // Opened for appending, so that writing starts at 0 again after the journal is emptied.
    let file = try SystemError.naming("open", path + ".new") { () throws(Errno) in
      try FileDescriptor(
        opening: draft, in: folder.descriptor, O_WRONLY | O_APPEND | O_CREAT | O_EXCL | O_NOFOLLOW,
        mode: 0o600)
    }
    do throws(SystemError) {
      try SystemError.naming("write", path + ".new") { () throws(Errno) in
        try file.writeAll(bytes)
      }
      try folder.rename(draft, to: folder, as: name)
    } catch {
      // On a full disk, the next record needs its room.
      try? folder.remove(draft)
      throw error
    }
    return file
  }
}
