/// Why a picture could not be written or read.
public enum PNGError: Error, Equatable, Sendable {
  /// The bytes do not begin like a PNG.
  case notPNG
  /// The file is truncated or damaged; libpng's sentence.
  case damaged(String)
  /// More pixels than the caller allows.
  case tooLarge(width: Int, height: Int)
  /// No pixels, or fewer bytes than the size asks for.
  case invalidSize(width: Int, height: Int)
  /// A text whose key is not 1 to 79 printable ASCII characters, or that has a NUL in it.
  case invalidText(key: String)
  /// The sink did not take the bytes; it knows why.
  case refused
  /// libpng found no memory.
  case outOfMemory

  /// One line for people.
  public var text: String {
    switch self {
    case .notPNG: "not a PNG"
    case .damaged(let sentence): "damaged PNG: \(sentence)"
    case .tooLarge(let width, let height): "a PNG of \(width)×\(height) pixels is too large"
    case .invalidSize(let width, let height): "no picture can have \(width)×\(height) pixels here"
    case .invalidText(let key): "the text \"\(key)\" cannot be written into a PNG"
    case .refused: "the PNG could not be written"
    case .outOfMemory: "no memory for a PNG"
    }
  }
}
