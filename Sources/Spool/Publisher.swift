internal import CLinux
internal import Linux
internal import Nettle

/// Publishes the signatures of one pad. Owned by the save thread, because it waits for the disk.
public struct Publisher: ~Copyable {
  /// The spool's path.
  public let path: String
  private var ids = ItemIDSource()
  /// The chain as this process knows it: others can write to the file.
  private let chain = KnownChain()

  /// Accesses nothing yet.
  public init(at path: String) { self.path = path }

  /// Creates missing folders and removes drafts that a crash left. Returns the number of removed drafts.
  ///
  /// - Parameter report: Receives a line for each draft that cannot be removed.
  public func prepare(report: (String) -> Void = { _ in }) throws(SpoolError) -> Int {
    let spool = try Spool.create(at: path)
    // The items first, so that a later draft continues them; an interrupted erasure leaves a record of its own.
    _ = spool.findChain()
    let count = try spool.removeAbandonedDrafts(report: report)
    chain.state = spool.findChain()
    syncChain()
    return count
  }

  /// Puts the record of the chain on the disk, if possible. Belongs after the answer about a
  /// signature, which does not wait for it.
  public func syncChain() {
    do throws(SystemError) {
      let file = try Folder(path).openFile(ChainState.name)
      try SystemError.naming("fsync", path + "/" + ChainState.name) { () throws(Errno) in
        try file.sync()
      }
    } catch {
      // There is none yet, or the disk fails, as the next signature will tell.
    }
  }

  /// Throws if the spool accepts no other signature now.
  public func checkCapacity(_ limits: SpoolLimits) throws(SpoolError) {
    try Spool.open(at: path).checkCapacity(limits)
  }

  /// Writes and discards a draft of about `size` bytes. Some failures, such as a worn card or a quota, appear
  /// only then.
  public mutating func checkWriting(size: Int) throws(SpoolError) {
    var draft = try begin()
    try draft.write(.png, [UInt8](repeating: 0, count: size))
  }

  /// Begins a draft, stamped with the current time.
  public mutating func begin() throws(SpoolError) -> Draft {
    // Before the time: a clock that is set in between does not make a time of before right.
    let isSynchronized = WallClock.isSynchronized
    let time = WallClock.now
    let id: ItemID
    do throws(Errno) {
      id = try ids.next(at: time)
    } catch { throw .call("getrandom", path, error) }
    return try Draft(
      id: id, time: time, clockSynchronized: isSynchronized, in: try Spool.open(at: path),
      following: chain)
  }
}

/// An unpublished item in `tmp`. Its deinitialiser removes it unless it was published.
public struct Draft: ~Copyable {
  /// The item's id.
  public let id: ItemID
  /// The time of its beginning by the device's clock, in nanoseconds since 1970.
  public let time: Int64
  /// Whether that clock was synchronised.
  public let clockSynchronized: Bool

  private let spool: Spool
  private let chain: KnownChain
  /// Open and locked, so that `removeAbandonedDrafts` keeps it.
  private let folder: Folder
  private var files: [Manifest.File] = []
  /// Nil until it is written.
  private var manifest: Manifest?
  /// The SHA-256 of the manifest.
  private var digest = ""
  private var published = false
  /// Whether the item was in `new` once, where it may have been delivered.
  private var wasVisible = false

  /// The writer's part of the manifest.
  public struct Description: Sendable {
    /// The client's reference of the document.
    public var reference: String?
    /// The texts that were shown while signing.
    public var title: String?, prompt: String?
    /// The names of pad and panel.
    public var device: String, panel: String
    /// The size of the picture, in pixels.
    public var width: Int, height: Int
    /// The resolution of the picture, in dots per inch.
    public var dpi: Double
    /// The number of strokes.
    public var strokes: Int
    /// The document that was shown before signing.
    public var document: ShownDocument?
    /// Who asked for the signature.
    public var requester: Requester?
    /// The name of the touchscreen.
    public var touchscreen: String?
    /// The version of the writer.
    public var version: String?

    /// A description without title and prompt.
    public init(
      reference: String? = nil, device: String, panel: String, width: Int, height: Int,
      dpi: Double, strokes: Int
    ) {
      self.reference = reference
      (self.device, self.panel) = (device, panel)
      (self.width, self.height, self.dpi) = (width, height, dpi)
      self.strokes = strokes
    }
  }

  init(
    id: ItemID, time: Int64, clockSynchronized: Bool, in spool: consuming Spool,
    following chain: KnownChain
  ) throws(SpoolError) {
    let folder = try Self.makeFolder(id.text, in: spool.tmp)
    self.id = id
    self.time = time
    self.clockSynchronized = clockSynchronized
    self.spool = spool
    self.chain = chain
    self.folder = folder
  }

  /// Creates and locks the folder. Repeats this if `removeAbandonedDrafts` removed it in between.
  private static func makeFolder(
    _ name: String, in tmp: borrowing Folder
  ) throws(SpoolError) -> Folder {
    while true {
      let folder: Folder
      do throws(SystemError) {
        folder = try tmp.makeFolder(name, mode: Spool.folderMode)
      } catch {
        if error.call == "open" && error.errno.rawValue == ENOENT { continue }
        throw .system(error)
      }
      do throws(Errno) {
        try folder.descriptor.lock()
        if try folder.descriptor.status().links > 0 { return folder }
      } catch { throw .call("flock", folder.path, error) }
    }
  }

  /// Writes one of the item's files durably.
  public mutating func write(_ file: ItemFile, _ bytes: [UInt8]) throws(SpoolError) {
    do throws(SystemError) {
      try folder.writeFile(file.name, bytes)
    } catch { throw .system(error) }
    files.append(Manifest.File(file: file, sha256: SHA256.text(of: bytes)))
  }

  /// Writes the manifest durably, after all files that it lists.
  public mutating func describe(_ description: Description) throws(SpoolError) -> Manifest {
    var manifest = Manifest(
      id: id, sequence: 0, time: WallClock.text(time), clockSynchronized: clockSynchronized,
      reference: description.reference,
      title: Manifest.shownText(description.title), prompt: Manifest.shownText(description.prompt),
      device: description.device, panel: description.panel, width: description.width,
      height: description.height, dpi: description.dpi, strokes: description.strokes,
      document: description.document, files: files)
    manifest.requester = description.requester
    manifest.touchscreen = Manifest.shortText(description.touchscreen)
    manifest.version = description.version
    manifest.erased = Array(spool.erasedManifests().prefix(ErasedManifest.limit))
    var digest = ""
    try spool.nextSequence(following: chain) { number, previous throws(SpoolError) in
      (manifest.sequence, manifest.previous) = (number, previous)
      let bytes = manifest.bytes
      digest = SHA256.text(of: bytes)
      try spooling { () throws(SystemError) in try folder.writeFile(Manifest.name, bytes) }
    }
    (self.manifest, self.digest) = (manifest, digest)
    return manifest
  }

  /// Writes the pad's signature of the manifest durably.
  public mutating func sign(_ signature: [UInt8]) throws(SpoolError) {
    do throws(SystemError) {
      try folder.writeFile(Manifest.signatureName, signature)
    } catch { throw .system(error) }
  }

  /// Writes the manifest and moves the item into `new`, durably: `describe` and `publish`.
  public consuming func publish(
    _ description: Description, willMove: (Manifest?) -> Void = { _ in }
  ) throws(SpoolError) -> Manifest {
    _ = try describe(description)
    return try publish(willMove: willMove)
  }

  /// Moves a described item into `new`, durably.
  ///
  /// When this returns, neither a crash nor a power cut loses the signature. When it throws, the signature is
  /// not saved. An item that was already taken out of `new` when the disk failed counts as saved.
  ///
  /// - Parameter willMove: Called with the manifest when everything is on the disk, before the move. Called
  ///   with nil if the move failed, before the files are removed. Between both calls, an item that is not
  ///   in `tmp` is published.
  public consuming func publish(
    willMove: (Manifest?) -> Void = { _ in }
  ) throws(SpoolError) -> Manifest {
    guard let manifest else { throw .invalid(path: folder.path, reason: "has no manifest") }
    let own = ManifestDigest(sequence: manifest.sequence, sha256: digest)
    do throws(SystemError) { try folder.sync() } catch { throw .system(error) }
    willMove(manifest)
    do throws(SystemError) {
      // A shared lock still protects the draft, and lets its delivery lock it from the first moment
      // on.
      _ = try? folder.descriptor.tryLockShared()
      try spool.tmp.move(id.text, to: spool.new, as: id.text)
      (published, wasVisible) = (true, true)
      // Otherwise an erasure would treat this lock as a delivery.
      try? folder.descriptor.unlock()
      spool.settle(own, in: chain)
      try spool.new.sync()
    } catch {
      // An item that handoff has taken must not be signed again.
      if published {
        // Before the move: a crash in between must not leave a draft that the chain follows.
        spool.unsettle(manifest, in: chain)
        switch unpublish() {
        case .taken:
          spool.settle(own, in: chain)
          return manifest
        case .done: break
        case .failed: spool.settle(own, in: chain)
        }
      }
      willMove(nil)
      throw .system(error)
    }
    spool.forget(manifest.erased)
    return manifest
  }

  private enum Unpublished { case done, failed, taken }

  /// Moves the item back, because the caller will report a failure. If this fails too, the item is delivered
  /// without an acknowledgement, which loses nothing.
  private mutating func unpublish() -> Unpublished {
    do throws(SystemError) {
      try spool.new.move(id.text, to: spool.tmp, as: id.text)
      published = false
    } catch { return error.errno.rawValue == ENOENT ? .taken : .failed }
    // Prevents that a power cut restores it beside its repetition.
    try? spool.new.sync()
    return .done
  }

  deinit {
    if published { return }
    if let manifest, !wasVisible { spool.settle(unconfirmed: manifest.sequence, in: chain) }
    try? spool.tmp.removeTree(id.text)
  }
}

extension Spool {
  /// Removes drafts whose writer has ended. Returns their number.
  ///
  /// A writer holds a lock, which the kernel releases at its end.
  ///
  /// - Parameter report: Receives a line for each draft that cannot be removed.
  public borrowing func removeAbandonedDrafts(
    report: (String) -> Void = { _ in }
  ) throws(SpoolError) -> Int {
    var count = 0
    for name in try spooling({ () throws(SystemError) in try tmp.names() }) {
      do throws(SystemError) {
        if name == Self.sequenceName {
          try removeAbandonedCounter()
        } else if try removeAbandonedDraft(name) {
          count += 1
        }
      } catch {
        report("spool: \(tmp.path): cannot remove an abandoned draft (\(error.text)); ignored")
      }
    }
    return count
  }

  /// Removes the temporary file of the counter and the chain, unless a writer holds their lock.
  ///
  /// The file that it was to replace is valid without it: what the chain lacks is found in the items.
  private borrowing func removeAbandonedCounter() throws(SystemError) {
    let lock = try Folder(".", in: root)
    let isLocked: Bool
    do throws(Errno) {
      isLocked = try lock.descriptor.tryLock()
    } catch { throw SystemError("flock", root.path, error) }
    if isLocked { try tmp.removeTree(Self.sequenceName) }
    _ = consume lock
  }

  /// Returns false if a writer holds the lock. Keeps the lock until all is removed: a writer that waits for it
  /// finds its folder removed and creates another one.
  private borrowing func removeAbandonedDraft(_ name: String) throws(SystemError) -> Bool {
    guard let folder = try draftFolder(name) else {
      try tmp.removeTree(name)
      return true
    }
    let isLocked: Bool
    do throws(Errno) {
      isLocked = try folder.descriptor.tryLock()
    } catch { throw SystemError("flock", folder.path, error) }
    if isLocked {
      if let id = Self.idOfErased(name) {
        // A crash interrupted the erasure.
        try finishErasure(of: id)
      } else {
        if let id = ItemID(name), let draft = try? Item.readManifestDigest(of: id, in: tmp) {
          // Also one that was taken back: the disk may have kept the former state.
          unsettle(draft.manifest, named: draft.digest)
          settle(unconfirmed: draft.digest.sequence)
        }
        try tmp.removeTree(name)
      }
    }
    _ = consume folder
    return isLocked
  }

  /// Returns nil for an object that is not a folder.
  private borrowing func draftFolder(_ name: String) throws(SystemError) -> Folder? {
    do throws(SystemError) {
      return try Folder(name, in: tmp)
    } catch {
      if [ENOTDIR, ELOOP, ENOENT].contains(error.errno.rawValue) { return nil }
      throw error
    }
  }
}
