internal import Linux

/// A width and a height in millimetres.
public struct Millimetres: Equatable, Sendable {
  /// Width and height in millimetres.
  public var width: Float, height: Float

  /// A size in millimetres.
  public init(width: Float, height: Float) {
    self.width = width
    self.height = height
  }
}

/// A width and a height in pixels.
public struct PixelSize: Equatable, Sendable {
  /// Width and height in pixels.
  public var width: Int, height: Int

  /// A size in pixels.
  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }
}

extension ValueType where Value == Millimetres {
  /// A size in millimetres, such as "154.2x85.9".
  static var millimetres: ValueType {
    ValueType { text throws(Refusal) in
      guard let (left, right) = halves(of: text, at: UInt8(ascii: "x")),
        let width = Number.decimal(left), let height = Number.decimal(right),
        (1...10_000).contains(width), (1...10_000).contains(height)
      else { throw Refusal("must be WIDTHxHEIGHT in millimetres, not \"\(text)\"") }
      return Millimetres(width: Float(width), height: Float(height))
    }
  }
}

extension ValueType where Value == PixelSize {
  /// A size in pixels, such as "800x480".
  static var pixels: ValueType {
    ValueType { text throws(Refusal) in
      if let size = PixelSize(text) { return size }
      throw Refusal("must be WIDTHxHEIGHT in pixels, not \"\(text)\"")
    }
  }
}

extension PixelSize {
  /// Parses "800x480"; each side is from 16 to 16384.
  init?(_ text: String) {
    guard let (left, right) = halves(of: text, at: UInt8(ascii: "x")),
      let width = try? Number.integer(left, in: 16...16384),
      let height = try? Number.integer(right, in: 16...16384)
    else { return nil }
    self.init(width: width, height: height)
  }
}

/// The trimmed parts before and after the first separator; nil without one.
func halves(of text: String, at separator: UInt8) -> (String, String)? {
  let bytes = [UInt8](text.utf8)
  guard let place = bytes.firstIndex(of: separator) else { return nil }
  let left = bytes[..<place].trimmed, right = bytes[(place + 1)...].trimmed
  return (String(decoding: left, as: UTF8.self), String(decoding: right, as: UTF8.self))
}
