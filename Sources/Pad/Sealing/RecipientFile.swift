internal import CLinux
internal import Linux
internal import Seal

/// The file of a recipient's certificate.
enum RecipientFile {
  /// Why it cannot be used.
  struct Flaw: Error {
    let text: String
  }

  /// Reads a file with one certificate in PEM, and without a private key.
  static func read(_ path: String) throws(Flaw) -> [UInt8] {
    let text: [UInt8]
    do throws(Errno) {
      // A FIFO must not block.
      let file = try FileDescriptor(opening: path, O_RDONLY | O_NONBLOCK)
      guard let bytes = try file.readAll(limit: SealRequest.certificateSizeLimit) else {
        throw Errno(EFBIG)
      }
      text = bytes
    } catch { throw Flaw(text: error.text) }
    if let flaw = CertificateText.flaw(text) { throw Flaw(text: flaw) }
    return text
  }

  /// Why it cannot be used, as far as its text tells; nil: it can.
  static func flaw(of path: String) -> String? {
    do throws(Flaw) { _ = try read(path) } catch { return error.text }
    return nil
  }
}
