import CLinux
import Linux
import Nettle

/// A file that the person reads before signing, as it is on the disk.
struct DocumentFile {
  /// The formats, by a file's content.
  enum Format {
    case pdf, png, text
  }

  /// The bytes that were read once: the digest and all pages are of them, whatever happens to the file.
  let bytes: [UInt8]
  let format: Format
  let path: String

  /// The SHA-256 as 64 hexadecimal digits.
  var digest: String { SHA256.text(of: bytes) }

  /// The size of the largest file in bytes.
  private static let limit = 64 << 20
  private static let pngSignature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  /// Reads a regular file.
  init(_ path: String) throws(ToolError) {
    let content: [UInt8]?
    var isRegular = false
    do throws(Errno) {
      // A FIFO would wait for a writer.
      let file = try FileDescriptor(opening: path, O_RDONLY | O_NONBLOCK)
      isRegular = try file.status().kind == .file
      content = isRegular ? try file.readAll(limit: DocumentFile.limit) : nil
    } catch {
      let code: ToolError.Code =
        switch error.rawValue {
        case EIO: .io
        case EACCES, EPERM: .noPermission
        default: .noInput
        }
      throw ToolError(code, SystemError("read", path, error).text)
    }
    if !isRegular { throw ToolError(.noInput, "\(path): not a regular file") }
    guard let content else {
      throw ToolError(.data, "\(path): larger than \(DocumentFile.limit >> 20) MiB")
    }
    guard let format = DocumentFile.format(of: content, path) else {
      throw ToolError(
        .data, "\(path): neither a PDF nor a PNG, and its name does not end in .txt")
    }
    (self.bytes, self.format, self.path) = (content, format, path)
  }

  private static func format(of bytes: [UInt8], _ path: String) -> Format? {
    if bytes.starts(with: pngSignature) { return .png }
    if bytes.starts(with: "%PDF-".utf8) { return .pdf }
    let suffix = path.utf8.suffix(4).map { $0 | 0x20 }
    return suffix.elementsEqual(".txt".utf8) ? .text : nil
  }

  /// The file's name without its folders.
  var name: String {
    let parts = path.utf8.split(separator: UInt8(ascii: "/"))
    return parts.last.map { String(Substring($0)) } ?? ""
  }
}
