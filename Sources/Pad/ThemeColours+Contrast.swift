internal import Configuration

extension ThemeColours {
  /// Words, or ink, and what they stand on.
  struct Pair {
    /// The key in [theme], or "ink".
    let name: String
    let above: UInt32
    let below: UInt32
    /// What they stand on, in words.
    let ground: String
  }

  /// Everything that is to be read; what is faint on purpose is not.
  func pairs(ink: UInt32) -> [Pair] {
    [
      Pair(name: "words", above: words, below: ground, ground: "ground"),
      Pair(name: "quiet-words", above: quietWords, below: ground, ground: "ground"),
      Pair(name: "warning", above: warning, below: ground, ground: "ground"),
      Pair(name: "ink", above: ink, below: ground, ground: "ground"),
      Pair(name: "clear", above: clear.words, below: clear.face, ground: "its face"),
      Pair(name: "done", above: done.words, below: done.face, ground: "its face"),
      Pair(name: "cancel", above: cancel.words, below: cancel.face, ground: "its face"),
      Pair(name: "pressed", above: pressed.words, below: pressed.face, ground: "its face"),
      Pair(name: "saved", above: saved.words, below: saved.ground, ground: "its ground"),
      Pair(name: "ink", above: ink, below: saved.ground, ground: "the ground of saved"),
      Pair(name: "ended", above: ended.words, below: ended.ground, ground: "its ground"),
      Pair(
        name: "out-of-service", above: outOfService.words, below: outOfService.ground,
        ground: "its ground"),
    ]
  }

  /// Each pair that is hard to read, with its contrast.
  func faintPairs(ink: UInt32) -> [(pair: Pair, reason: String)] {
    pairs(ink: ink).compactMap { pair in
      let ratio = Contrast.ratio(pair.above, pair.below)
      return ratio < Contrast.ofWords ? (pair, pair.reason(ratio)) : nil
    }
  }
}

extension ThemeColours.Pair {
  /// The section and the key of what is above.
  var place: (section: String, key: String) {
    name == "ink" ? ("ink", "colour") : ("theme", name)
  }

  fileprivate func reason(_ ratio: Double) -> String {
    "\(Pair.hex(above)) on \(ground) \(Pair.hex(below)) has a contrast of"
      + " \(ratio.inTenths):1; words need 7:1 to be read"
  }

  private typealias Pair = ThemeColours.Pair

  private static func hex(_ colour: UInt32) -> String {
    let digits = Array("0123456789abcdef".utf8)
    var text: [UInt8] = [UInt8(ascii: "#")]
    for shift in stride(from: UInt32(20), through: 0, by: -4) {
      text.append(digits[Int(colour >> shift & 15)])
    }
    return String(decoding: text, as: UTF8.self)
  }
}
