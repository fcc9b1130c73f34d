/// Reads a picture's file of at most `limit` bytes.
public typealias PictureReader = (_ path: String, _ limit: Int) throws(PictureReadError) -> [UInt8]

/// Why a picture's file cannot be read.
public struct PictureReadError: Error {
  /// Follows the path in a message, as in "cannot be read: No such file or directory".
  public let reason: String

  /// An error with its reason.
  public init(_ reason: String) { self.reason = reason }
}
