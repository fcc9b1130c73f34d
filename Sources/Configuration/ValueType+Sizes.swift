internal import Linux

extension ValueType where Value == Millimetres {
  /// "154.2x85.9", in millimetres.
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
  /// "800x480", in pixels.
  static var pixels: ValueType {
    ValueType { text throws(Refusal) in
      if let size = PixelSize(text) { return size }
      throw Refusal("must be WIDTHxHEIGHT in pixels, not \"\(text)\"")
    }
  }
}

extension ValueType where Value == DisplayMode {
  /// "preferred", "800x480" or "800x480@59.94".
  static var mode: ValueType {
    ValueType { text throws(Refusal) in
      if text == "preferred" { return .preferred }
      if let size = PixelSize(text) { return .size(size, refresh: nil) }
      guard let (left, right) = halves(of: text, at: UInt8(ascii: "@")),
        let size = PixelSize(left), let refresh = Number.decimal(right),
        (1...1000).contains(refresh)
      else {
        throw Refusal("must be preferred, WIDTHxHEIGHT or WIDTHxHEIGHT@HERTZ, not \"\(text)\"")
      }
      return .size(size, refresh: refresh)
    }
  }
}

extension ValueType where Value == [Float] {
  /// The first two rows of a matrix.
  static var matrix: ValueType {
    ValueType { text throws(Refusal) in
      let numbers = Words.cut(text).compactMap { Number.decimal($0) }
      guard numbers.count == 6, Words.cut(text).count == 6 else {
        throw Refusal("must be six numbers, not \"\(text)\"")
      }
      // A millionth of the glass and less is no area: all touches would lie on a line or a point.
      if abs(numbers[0] * numbers[4] - numbers[1] * numbers[3]) < 1e-6 {
        throw Refusal("must be invertible: all touches would lie on one line, not \"\(text)\"")
      }
      return numbers.map { Float($0) }
    }
  }
}

extension ValueType where Value == UInt32 {
  /// "#rrggbb", as 0xRRGGBB.
  static var colour: ValueType {
    ValueType { text throws(Refusal) in
      let bytes = Array(text.utf8)
      guard bytes.count == 7, bytes[0] == UInt8(ascii: "#") else {
        throw Refusal("must be #rrggbb, not \"\(text)\"")
      }
      var value: UInt32 = 0
      for digit in bytes.dropFirst() {
        let letter = digit | 0x20
        if digit.isDigit {
          value = value << 4 | UInt32(digit - UInt8(ascii: "0"))
        } else if letter >= UInt8(ascii: "a") && letter <= UInt8(ascii: "f") {
          value = value << 4 | UInt32(letter - UInt8(ascii: "a") + 10)
        } else {
          throw Refusal("must be #rrggbb, not \"\(text)\"")
        }
      }
      return value
    }
  }
}

extension ValueType where Value == SignatureResolution {
  /// A number of dots per inch, or the panel's own.
  static var resolution: ValueType {
    ValueType { text throws(Refusal) in
      if text == "panel" { return .panel }
      if let dpi = Int(text), (50...2400).contains(dpi) { return .dpi(dpi) }
      throw Refusal("must be panel or a whole number from 50 to 2400, not \"\(text)\"")
    }
  }
}

extension PixelSize {
  fileprivate init?(_ text: String) {
    guard let (left, right) = halves(of: text, at: UInt8(ascii: "x")),
      let width = Int(left), let height = Int(right),
      (16...16384).contains(width), (16...16384).contains(height)
    else { return nil }
    self.init(width: width, height: height)
  }
}

private func halves(of text: String, at separator: UInt8) -> (String, String)? {
  let bytes = Array(text.utf8)
  guard let place = bytes.firstIndex(of: separator) else { return nil }
  let left = bytes[..<place].trimmed, right = bytes[(place + 1)...].trimmed
  return (String(decoding: left, as: UTF8.self), String(decoding: right, as: UTF8.self))
}
