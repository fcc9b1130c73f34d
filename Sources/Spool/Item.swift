internal import CLinux
public import Linux

/// A published signature, read whole and found to be what its manifest says.
public struct Item: Sendable {
  /// What is known about it.
  public let manifest: Manifest
  /// signature.json and the files that it names.
  public let files: [File]

  /// A file with its content.
  public struct File: Sendable {
    /// In the item's folder.
    public let name: String
    /// For transports that name one.
    public let mediaType: String
    /// 64 lower-case hexadecimal digits.
    public let sha256: String
    /// The content.
    public let bytes: [UInt8]
  }

  /// Why an item cannot be read.
  public enum Failure: Error, Equatable, Sendable {
    /// It is not there any more.
    case gone
    /// It never was one of paraphd's: set it aside.
    case invalid(ValidationError)
    /// The disk or the permissions are in the way: try again.
    case system(SystemError)
  }

  /// Reads an item out of one of the spool's folders. Everything in it is untrusted: other users of the
  /// group can write there. Links are not followed, FIFOs not waited for, sizes limited.
  /// `allowingMore`: files that the manifest does not name are left alone. `limit`: bytes of all files together;
  /// nil: each has a limit of its own.
  public init(
    _ id: ItemID, in folder: borrowing Folder, allowingMore: Bool = false,
    limit: Int64? = nil
  ) throws(Failure) {
    let place = try Self.open(id, in: folder)
    let manifestBytes = try Self.read(Manifest.name, in: place, limit: Manifest.sizeLimit)
    let manifest = try Self.parse(manifestBytes, id)
    if !allowingMore { try Self.checkNames(of: manifest, in: place) }
    if let limit, Spool.size(of: id, in: folder) > limit {
      throw .invalid(ValidationError("is larger than \(limit) bytes"))
    }
    var files = [
      File(
        name: Manifest.name, mediaType: "application/json",
        sha256: SHA256.text(of: manifestBytes), bytes: manifestBytes)
    ]
    for entry in manifest.files {
      let name = entry.file.name
      let bytes = try Self.read(name, in: place, limit: ItemFile.sizeLimit)
      guard SHA256.text(of: bytes) == entry.sha256 else {
        throw .invalid(ValidationError("\(name) is not what the manifest says"))
      }
      files.append(
        File(name: name, mediaType: entry.file.mediaType, sha256: entry.sha256, bytes: bytes))
    }
    try Self.checkPicture(files, manifest)
    self.manifest = manifest
    self.files = files
  }

  /// Reads only the manifest.
  public static func readManifest(
    of id: ItemID, in folder: borrowing Folder
  ) throws(Failure) -> Manifest {
    try parse(
      try read(Manifest.name, in: try open(id, in: folder), limit: Manifest.sizeLimit), id)
  }

  private static func open(
    _ id: ItemID, in folder: borrowing Folder
  ) throws(Failure) -> Folder {
    do throws(SystemError) {
      return try Folder(id.text, in: folder)
    } catch {
      switch error.errno.rawValue {
      case ENOENT: throw .gone
      case ENOTDIR, ELOOP: throw .invalid(ValidationError("is not a folder"))
      case EACCES: throw .invalid(ValidationError("cannot be opened: \(error.errno.text)"))
      default: throw .system(error)
      }
    }
  }

  private static func parse(_ bytes: [UInt8], _ id: ItemID) throws(Failure) -> Manifest {
    let manifest: Manifest
    do throws(ValidationError) {
      manifest = try Manifest(bytes)
    } catch { throw .invalid(error) }
    if manifest.id != id { throw .invalid(ValidationError("\(Manifest.name): id is not the folder's name")) }
    return manifest
  }

  private static func checkNames(
    of manifest: Manifest, in place: borrowing Folder
  ) throws(Failure) {
    var known = false
    do throws(SystemError) {
      try place.forEachName { name in
        let text = String(decoding: name)
        known = text == Manifest.name || manifest.files.contains { $0.file.name == text }
        return known
      }
    } catch { throw .system(error) }
    if !known { throw .invalid(ValidationError("holds something that its manifest does not name")) }
  }

  private static func checkPicture(_ files: [File], _ manifest: Manifest) throws(Failure) {
    guard let picture = files.first(where: { $0.name == ItemFile.png.name }),
      let size = PNGOutline.size(of: picture.bytes)
    else { throw .invalid(ValidationError("\(ItemFile.png.name) is no PNG")) }
    if size.width != manifest.width || size.height != manifest.height {
      throw .invalid(ValidationError("\(ItemFile.png.name) has another size than the manifest says"))
    }
  }

  private static func read(
    _ name: String, in place: borrowing Folder, limit: Int
  ) throws(Failure) -> [UInt8] {
    let bytes: [UInt8]?
    do throws(SystemError) {
      let file = try place.openFile(name)
      bytes = try SystemError.naming("read", place.path + "/" + name) { () throws(Errno) in
        let status = try file.status()
        if status.kind != .file { throw Errno(ELOOP) }
        if status.size > Int64(limit) { return nil }
        return try file.readAll(limit: limit, expected: Int(status.size))
      }
    } catch { throw Self.failure(error, name) }
    guard let bytes else { throw .invalid(ValidationError("\(name) is larger than \(limit) bytes")) }
    return bytes
  }

  private static func failure(_ error: SystemError, _ name: String) -> Failure {
    switch error.errno.rawValue {
    case ENOENT: .invalid(ValidationError("has no \(name)"))
    case ELOOP, ENXIO, EISDIR: .invalid(ValidationError("\(name) is not a file"))
    case EACCES: .invalid(ValidationError("\(name) cannot be opened: \(error.errno.text)"))
    default: .system(error)
    }
  }
}
