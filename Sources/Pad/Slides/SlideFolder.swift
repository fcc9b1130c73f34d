internal import Linux
internal import Raster
internal import Screen

/// The folder of `[pad] slides`: its PNGs in the order of their names.
///
/// The folder may change at any time: each picture is looked up when it is due.
struct SlideFolder: Sendable {
  let path: String
  let screen: ScreenGeometry
  /// The colour around pictures of other proportions, 0xRRGGBB.
  let ground: UInt32

  /// A picture's file. One that replaces it under the same name differs.
  struct File: Equatable, Sendable {
    let name: String
    fileprivate let inode: UInt64
    fileprivate let size: Int64
    fileprivate let modified: Int64
  }

  /// Why a file, or the folder, is not shown.
  struct Refusal: Equatable, Sendable {
    /// Nil: the folder cannot be read.
    let file: File?
    /// The path and what is wrong.
    let reason: String
  }

  /// The next picture.
  enum Next: Sendable {
    /// No file can be shown.
    case nothing
    /// The picture that is shown already is the only one.
    case same
    /// Another picture.
    case picture(File, GroundPicture)
  }

  /// The next picture after the one that is shown, and the files that were skipped before it.
  func next(after shown: File?) -> (next: Next, skipped: [Refusal]) {
    let files: [File]
    do throws(Errno) { files = try self.files } catch {
      return (.nothing, [Refusal(file: nil, reason: "\(path): cannot be read: \(error.text)")])
    }
    var skipped: [Refusal] = []
    for file in SlideFolder.turn(of: files, after: shown?.name) {
      if file == shown { return (.same, skipped) }
      do throws(PictureReadError) {
        let picture = try Slide.painted(
          "\(path)/\(file.name)", on: screen, ground: ground, read: PictureFile.read)
        return (.picture(file, picture), skipped)
      } catch { skipped.append(Refusal(file: file, reason: error.reason)) }
    }
    return (.nothing, skipped)
  }

  /// The PNGs that are not hidden, in the byte order of their names.
  private var files: [File] {
    get throws(Errno) {
      try Folder.names(of: path).compactMap { name in
        guard name.utf8.first != UInt8(ascii: "."), name.utf8.suffix(4).elementsEqual(".png".utf8),
          let status = try? FileStatus(of: "\(path)/\(name)"), status.kind != .folder
        else { return nil }
        return File(
          name: name, inode: status.inode, size: status.size, modified: status.modified)
      }
    }
  }

  /// The files behind a name, then those from the first one to it.
  private static func turn(of files: [File], after name: String?) -> [File] {
    guard let name,
      let next = files.firstIndex(where: { name.utf8.lexicographicallyPrecedes($0.name.utf8) })
    else { return files }
    return Array(files[next...] + files[..<next])
  }
}
