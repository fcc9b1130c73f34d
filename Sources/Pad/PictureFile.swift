internal import CLinux
internal import Linux
internal import Screen

/// Reads the picture files of a theme.
enum PictureFile {
  /// Reads a file of at most `limit` bytes. Does not wait for the writer of a FIFO.
  static func read(_ path: String, limit: Int) throws(PictureReadError) -> [UInt8] {
    let bytes: [UInt8]?
    do throws(Errno) {
      bytes = try FileDescriptor(opening: path, O_RDONLY | O_NONBLOCK).readAll(limit: limit)
    } catch { throw PictureReadError("cannot be read: \(error.text)") }
    guard let bytes else { throw PictureReadError("is larger than \(limit >> 20) MiB") }
    return bytes
  }
}
