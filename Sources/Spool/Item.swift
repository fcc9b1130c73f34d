internal import CLinux
public import Linux
internal import Nettle

/// A published signature, read completely and checked against its manifest.
public struct Item: Sendable {
  /// The metadata.
  public let manifest: Manifest
  /// signature.json, its signature and the time stamp of that (or the mark that it is missing) if
  /// there are any, and the files that signature.json names.
  public let files: [File]

  /// The picture, which every item has, plain or sealed.
  public var picture: File? {
    files.first { $0.name == ItemFile.png.name || $0.name == ItemFile.sealedPNG.name }
  }

  /// A file with its content.
  public struct File: Sendable {
    /// The name in the item's folder.
    public let name: String
    /// The media type.
    public let mediaType: String
    /// The digest as 64 lower-case hexadecimal digits.
    public let sha256: String
    /// The content.
    public let bytes: [UInt8]
  }

  /// Why an item cannot be read.
  public enum Failure: Error, Equatable, Sendable {
    /// The item no longer exists.
    case gone
    /// The item is invalid and belongs into `failed`.
    case invalid(ValidationError)
    /// A system call failed; a retry may succeed.
    case system(SystemError)
  }

  /// Reads an item from one of the spool's folders.
  ///
  /// Its content is untrusted, because other users of the group can write there. Links are not followed, FIFOs
  /// do not block, and sizes are limited.
  ///
  /// - Parameters:
  ///   - allowingMore: Whether the folder may contain files that the manifest does not name.
  ///   - limit: The limit of all files together, in bytes. Each file has a limit of its own.
  public init(
    _ id: ItemID, in folder: borrowing Folder, allowingMore: Bool = false,
    limit: Int64? = nil
  ) throws(Failure) {
    let itemFolder = try Self.open(id.text, in: folder)
    let manifestBytes = try Self.read(Manifest.name, in: itemFolder, limit: Manifest.sizeLimit)
    let manifest = try Self.parse(manifestBytes, id)
    if !allowingMore { try Self.checkNames(of: manifest, in: itemFolder) }
    // Time stamp and mark come after the item was accepted, and have limits of their own.
    if let limit, Spool.size(of: id, in: folder, with: [.signature]) > limit {
      throw .invalid(ValidationError("is larger than \(limit) bytes"))
    }
    var files = [
      File(
        name: Manifest.name, mediaType: "application/json",
        sha256: SHA256.text(of: manifestBytes), bytes: manifestBytes)
    ]
    files += try Self.readProofs(in: itemFolder)
    for entry in manifest.files {
      let name = entry.file.name
      let bytes = try Self.read(name, in: itemFolder, limit: ItemFile.sizeLimit)
      guard SHA256.text(of: bytes) == entry.sha256 else {
        throw .invalid(ValidationError("\(name) does not match its digest in the manifest"))
      }
      files.append(
        File(name: name, mediaType: entry.file.mediaType, sha256: entry.sha256, bytes: bytes))
    }
    try Self.checkPicture(files, manifest)
    self.manifest = manifest
    self.files = files
  }

  /// Reads only the manifest, and the digest of its file.
  ///
  /// - Parameter name: The name of the item's folder; nil: its id.
  static func readManifestDigest(
    of id: ItemID, in folder: borrowing Folder, named name: String? = nil
  ) throws(Failure) -> (manifest: Manifest, digest: ManifestDigest) {
    let item = try open(name ?? id.text, in: folder)
    let bytes = try read(Manifest.name, in: item, limit: Manifest.sizeLimit)
    let manifest = try parse(bytes, id)
    let digest = ManifestDigest(
      sequence: manifest.sequence, sha256: SHA256.text(of: bytes))
    return (manifest, digest)
  }

  /// Reads only the manifest.
  public static func readManifest(
    of id: ItemID, in folder: borrowing Folder
  ) throws(Failure) -> Manifest {
    try parse(
      try read(Manifest.name, in: try open(id.text, in: folder), limit: Manifest.sizeLimit), id)
  }

  private static func open(
    _ name: String, in folder: borrowing Folder
  ) throws(Failure) -> Folder {
    do throws(SystemError) {
      return try Folder(name, in: folder)
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
    if manifest.id != id {
      throw .invalid(ValidationError("\(Manifest.name): id is not the folder's name"))
    }
    return manifest
  }

  private static func checkNames(
    of manifest: Manifest, in itemFolder: borrowing Folder
  ) throws(Failure) {
    var known = false
    do throws(SystemError) {
      try itemFolder.forEachName { name in
        let text = String(decoding: name)
        known =
          text == Manifest.name || ItemProof.allCases.contains { $0.name == text }
          || manifest.files.contains { $0.file.name == text }
        return known
      }
    } catch { throw .system(error) }
    if !known { throw .invalid(ValidationError("contains a file that its manifest does not name")) }
  }

  /// The pad's signature of the manifest, and the time stamp of that or the mark that it is missing.
  private static func readProofs(in itemFolder: borrowing Folder) throws(Failure) -> [File] {
    var files: [File] = []
    // After a crash, an item may have both the time stamp and the mark; the time stamp counts. The
    // time stamp is looked for twice, because it may replace the mark in between.
    for proof in ItemProof.allCases + [.timestamp] {
      if let last = files.last, last.name != ItemProof.signature.name { break }
      do throws(SystemError) {
        if try !itemFolder.contains(proof.name) { continue }
      } catch { throw .system(error) }
      let bytes: [UInt8]
      do throws(Failure) {
        bytes = try read(proof.name, in: itemFolder, limit: proof.sizeLimit)
      } catch {
        // The time stamp has come meanwhile, and the next reader finds it.
        if proof == .missingTimestamp, case .invalid = error,
          (try? itemFolder.contains(proof.name)) == false
        {
          continue
        }
        throw error
      }
      files.append(
        File(
          name: proof.name, mediaType: proof.mediaType, sha256: SHA256.text(of: bytes), bytes: bytes
        ))
    }
    return files
  }

  private static func checkPicture(_ files: [File], _ manifest: Manifest) throws(Failure) {
    // A sealed picture is opened by its recipients only.
    if manifest.files.contains(where: { $0.file == .sealedPNG }) { return }
    guard let picture = files.first(where: { $0.name == ItemFile.png.name }),
      let size = PNGHeader.size(of: picture.bytes)
    else { throw .invalid(ValidationError("\(ItemFile.png.name) is not a PNG")) }
    if size.width != manifest.width || size.height != manifest.height {
      throw .invalid(ValidationError("\(ItemFile.png.name) does not have the size in the manifest"))
    }
  }

  private static func read(
    _ name: String, in itemFolder: borrowing Folder, limit: Int
  ) throws(Failure) -> [UInt8] {
    let bytes: [UInt8]?
    do throws(SystemError) {
      let file = try itemFolder.openFile(name)
      bytes = try SystemError.naming("read", itemFolder.path + "/" + name) { () throws(Errno) in
        let status = try file.status()
        if status.kind != .file { throw Errno(ELOOP) }
        if status.size > Int64(limit) { return nil }
        return try file.readAll(limit: limit, expected: Int(status.size))
      }
    } catch { throw Self.failure(error, name) }
    guard let bytes else {
      throw .invalid(ValidationError("\(name) is larger than \(limit) bytes"))
    }
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

/// The files of an item that its manifest cannot name, because they are made after it.
public enum ItemProof: CaseIterable, Sendable {
  /// The pad's signature of the manifest: detached CMS SignedData.
  case signature
  /// The time stamp of that signature.
  case timestamp
  /// The mark that sinks may take the item without the time stamp.
  case missingTimestamp

  /// The name in the item's folder.
  public var name: String {
    switch self {
    case .signature: Manifest.signatureName
    case .timestamp: Manifest.timestampName
    case .missingTimestamp: Manifest.missingTimestampName
    }
  }

  /// The media type.
  public var mediaType: String {
    switch self {
    case .signature: "application/pkcs7-signature"
    case .timestamp: "application/timestamp-reply"
    case .missingTimestamp: "text/plain"
    }
  }

  fileprivate var sizeLimit: Int {
    switch self {
    case .signature: Manifest.signatureLimit
    case .timestamp: Manifest.timestampLimit
    case .missingTimestamp: Manifest.missingTimestampLimit
    }
  }
}

/// Checks the chunks of a PNG without decoding them.
private enum PNGHeader {
  private static let signature: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]

  /// Returns nil unless the chunks run from IHDR through IDAT to an IEND at the end.
  static func size(of bytes: [UInt8]) -> (width: Int, height: Int)? {
    guard bytes.starts(with: signature) else { return nil }
    var size: (width: Int, height: Int)?
    var (offset, hasData) = (signature.count, false)
    while let length = number(bytes, offset), let type = number(bytes, offset + 4) {
      // Compared before any addition, which could overflow an Int of 32 bits.
      guard length <= bytes.count - offset - 12 else { return nil }
      let end = offset + 12 + length
      switch type {
      case 0x4948_4452:  // IHDR
        guard offset == signature.count, length == 13, let width = number(bytes, offset + 8),
          let height = number(bytes, offset + 12)
        else { return nil }
        size = (width, height)
      case 0x4944_4154: hasData = true  // IDAT
      case 0x4945_4e44: return end == bytes.count && hasData ? size : nil  // IEND
      default: break
      }
      offset = end
    }
    return nil
  }

  /// Four bytes, most significant first; nil beyond the end.
  private static func number(_ bytes: [UInt8], _ offset: Int) -> Int? {
    guard offset + 4 <= bytes.count else { return nil }
    let value = bytes[offset..<offset + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    return Int(exactly: value)
  }
}
