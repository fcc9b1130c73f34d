/// A mode that the configuration asks for: "1280x800" or "1280x800@60" or "1280x800@59.94".
public struct ModeRequest: Sendable, Equatable {
  /// In pixels.
  public let width: Int, height: Int
  /// In thousandths of a Hertz; nil takes the panel's own rate.
  public let refreshMilliHertz: Int?

  /// A size in pixels, and a rate in thousandths of a Hertz if one is asked for.
  public init(width: Int, height: Int, refreshMilliHertz: Int? = nil) {
    (self.width, self.height) = (width, height)
    self.refreshMilliHertz = refreshMilliHertz
  }

  /// Reads the configuration's text; nil if it is not of that form.
  public init?(_ text: String) {
    var bytes = Array(text.utf8)[...]
    guard let width = Self.number(&bytes), Self.skip(UInt8(ascii: "x"), &bytes),
      let height = Self.number(&bytes), width > 0, height > 0
    else { return nil }
    (self.width, self.height) = (width, height)
    if bytes.isEmpty {
      refreshMilliHertz = nil
      return
    }
    guard Self.skip(UInt8(ascii: "@"), &bytes), let hertz = Self.thousandths(&bytes), hertz > 0,
      bytes.isEmpty
    else { return nil }
    refreshMilliHertz = hertz
  }

  /// The mode that fits best, or nil. Without a rate the preferred mode wins, then a progressive one,
  /// then the first; with one, the nearest within half a Hertz (59.94 is asked for as 60).
  public func choose(from modes: [DisplayMode]) -> DisplayMode? {
    var best: DisplayMode?
    var bestScore = Int.max
    for mode in modes where mode.width == width && mode.height == height {
      guard let score = score(mode), score < bestScore else { continue }
      (best, bestScore) = (mode, score)
    }
    return best
  }

  private func score(_ mode: DisplayMode) -> Int? {
    var score = mode.isInterlaced ? 10_000 : 0
    if !mode.isPreferred { score += 1 }
    if let wanted = refreshMilliHertz {
      guard let has = mode.refreshMilliHertz, abs(has - wanted) <= 500 else { return nil }
      score += 2 * abs(has - wanted)
    }
    return score
  }

  private static func skip(_ byte: UInt8, _ bytes: inout ArraySlice<UInt8>) -> Bool {
    guard bytes.first == byte else { return false }
    bytes.removeFirst()
    return true
  }

  /// At most five digits: no panel is wider, and no sum can overflow.
  private static func number(_ bytes: inout ArraySlice<UInt8>) -> Int? {
    var value = 0
    var digits = 0
    while let byte = bytes.first, byte >= 48, byte <= 57, digits < 5 {
      value = value * 10 + Int(byte - 48)
      digits += 1
      bytes.removeFirst()
    }
    return digits > 0 ? value : nil
  }

  private static func thousandths(_ bytes: inout ArraySlice<UInt8>) -> Int? {
    guard let whole = number(&bytes) else { return nil }
    var value = whole * 1000
    guard skip(UInt8(ascii: "."), &bytes) else { return value }
    var place = 100
    let digits = bytes.count
    while let byte = bytes.first, byte >= 48, byte <= 57, place > 0 {
      value += Int(byte - 48) * place
      place /= 10
      bytes.removeFirst()
    }
    return bytes.count < digits ? value : nil
  }
}
