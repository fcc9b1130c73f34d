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

  /// A picture's file. One that replaces it under the same name differs, and so does one that was written to or whose
  /// permissions were changed.
  struct File: Equatable, Sendable {
    // First, as what differs between most files.
    fileprivate let inode: UInt64
    fileprivate let size: Int64
    fileprivate let changed: Int64
    let name: String
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

  /// The next picture after the one that is shown, and the refusals that hold now.
  ///
  /// - Parameter refused: The refusals that held before. Their files are not read again until they change.
  func next(after shown: File?, refused: [Refusal]) -> (next: Next, refused: [Refusal]) {
    let files: [File]
    do throws(Errno) { files = try self.files } catch {
      let refusal = Refusal(file: nil, reason: "\(path): cannot be read: \(error.text)")
      return (.nothing, refused.filter { $0.file != nil } + [refusal])
    }
    var refused = refused.filter { refusal in files.contains { $0 == refusal.file } }
    for file in SlideFolder.turn(of: files, after: shown?.name) {
      if file == shown { return (.same, refused) }
      if refused.contains(where: { $0.file == file }) { continue }
      do throws(PictureReadError) {
        let picture = try Slide.painted(
          "\(path)/\(file.name)", on: screen, ground: ground, read: PictureFile.read)
        return (.picture(file, picture), refused)
      } catch { refused.append(Refusal(file: file, reason: error.reason)) }
    }
    return (.nothing, refused)
  }

  /// The PNGs that are not hidden, in the byte order of their names.
  private var files: [File] {
    get throws(Errno) {
      try Folder.names(of: path).compactMap { name in
        guard name.utf8.first != UInt8(ascii: "."), name.utf8.ends(with: ".png".utf8),
          let status = try? FileStatus(of: "\(path)/\(name)"), status.kind != .folder
        else { return nil }
        return File(
          inode: status.inode, size: status.size, changed: status.changed, name: name)
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
