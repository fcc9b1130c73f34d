internal import CLinux
internal import Linux

/// A signature that is being written in `tmp`. Letting it go without publishing removes it.
public struct Draft: ~Copyable {
  /// The signature's name, for whatever is written into its files.
  public let id: ItemID
  /// When it was begun, in nanoseconds since 1970 by the device's clock.
  public let time: Int64
  /// Whether that clock was set.
  public let clockSynchronized: Bool

  private let spool: Spool
  /// Open and locked: a cleaner can tell that somebody still writes here.
  private let folder: Folder
  private var files: [Manifest.File] = []
  private var published = false

  /// What the writer knows about a signature.
  public struct Description: Sendable {
    /// What was signed for.
    public var reference: String?
    /// What the person was shown.
    public var title: String?, prompt: String?
    /// Which pad, which panel.
    public var device: String, panel: String
    /// The picture, in pixels.
    public var width: Int, height: Int
    /// The picture's dots per inch.
    public var dpi: Double
    /// How many strokes there are.
    public var strokes: Int

    /// All of it.
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

  init(id: ItemID, time: Int64, in spool: consuming Spool) throws(SpoolError) {
    let synchronized = WallClock.isSynchronized
    let folder = try Self.makeFolder(id.text, in: spool.tmp)
    self.id = id
    self.time = time
    clockSynchronized = synchronized
    self.spool = spool
    self.folder = folder
  }

  /// A cleaner that comes between making and locking may take the folder away: then it is made again.
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

  /// Writes one of the signature's files, down to the disk.
  public mutating func write(_ file: ItemFile, _ bytes: [UInt8]) throws(SpoolError) {
    do throws(SystemError) {
      try folder.writeFile(file.name, bytes)
    } catch { throw .system(error) }
    files.append(Manifest.File(file: file, sha256: SHA256.text(of: bytes)))
  }

  /// Writes the manifest and moves the whole into `new`. When this returns, neither a crash nor a power
  /// cut can lose the signature: tell the signer. When it throws, nothing may be said to be saved. Where the disk fails
  /// after the move, an item that has left `new` by then is saved: it was delivered or set aside.
  ///
  /// - Parameter willMove: Called with the manifest when all is written and synchronised, before the move;
  ///   called with nil when the move has failed, before the files are removed. A caller that notes the
  ///   first takes an item that is not in `tmp` for published until it has noted the second.
  public consuming func publish(
    _ description: Description, willMove: (Manifest?) -> Void = { _ in }
  ) throws(SpoolError) -> Manifest {
    let manifest = Manifest(
      id: id, sequence: try spool.nextSequence(), time: WallClock.text(time),
      clockSynchronized: clockSynchronized, reference: description.reference,
      title: Manifest.words(description.title), prompt: Manifest.words(description.prompt),
      device: description.device, panel: description.panel, width: description.width,
      height: description.height, dpi: description.dpi, strokes: description.strokes, files: files)
    do throws(SystemError) {
      try folder.writeFile(Manifest.name, manifest.bytes)
      try folder.sync()
    } catch { throw .system(error) }
    willMove(manifest)
    do throws(SystemError) {
      try spool.tmp.move(id.text, to: spool.new, as: id.text)
      published = true
      try spool.new.sync()
    } catch {
      // Who has it by now has it durably: signed again, it would be there twice.
      if published && takeBack() == .isElsewhere { return manifest }
      willMove(nil)
      throw .system(error)
    }
    return manifest
  }

  private enum TakingBack { case done, failed, isElsewhere }

  /// The name may or may not be on the disk. Nobody is told "saved", so nothing should be delivered;
  /// where that fails as well, it is delivered without having been acknowledged, which loses nothing.
  private mutating func takeBack() -> TakingBack {
    do throws(SystemError) {
      try spool.new.move(id.text, to: spool.tmp, as: id.text)
      published = false
    } catch { return error.errno.rawValue == ENOENT ? .isElsewhere : .failed }
    // A power cut shall not bring it back beside the next try.
    try? spool.new.sync()
    return .done
  }

  deinit {
    if !published { try? spool.tmp.removeTree(id.text) }
  }
}
