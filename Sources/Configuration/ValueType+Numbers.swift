extension ValueType where Value == Int {
  /// A whole number.
  static func integer(_ range: ClosedRange<Int>) -> ValueType {
    ValueType { text throws(Refusal) in try Number.integer(text, in: range) }
  }
}

extension ValueType where Value == Float {
  /// A number with an optional fraction.
  static func decimal(_ range: ClosedRange<Double>) -> ValueType {
    ValueType { text throws(Refusal) in Float(try Number.decimal(text, in: range)) }
  }
}

extension ValueType where Value == Int64 {
  /// An amount of bytes: K, M, G and T are powers of 1024 as in systemd.
  static func bytes(_ range: ClosedRange<Int64>) -> ValueType {
    ValueType { text throws(Refusal) in
      guard let (number, unit) = Number.split(text),
        let power = bytePowers.first(where: { $0.unit == unit })?.bytes
      else {
        throw Refusal("must be an amount of bytes such as 64M, not \"\(text)\"")
      }
      let value = number * power
      if value >= Double(range.lowerBound) && value <= Double(range.upperBound) {
        return Int64(value)
      }
      throw Refusal("must be from \(range.lowerBound) to \(range.upperBound) bytes, not \(text)")
    }
  }

  private static var bytePowers: [(unit: String, bytes: Double)] {
    [("", 1), ("K", 1024), ("M", 1_048_576), ("G", 1_073_741_824), ("T", 1_099_511_627_776)]
  }

  /// A span of time in nanoseconds: "5s", "1min 30s", "500ms"; without a unit, seconds (systemd.time(7)).
  static func duration(_ range: ClosedRange<Int64>) -> ValueType {
    ValueType { text throws(Refusal) in
      var total = 0.0
      for word in Words.cut(text) {
        guard let (number, unit) = Number.split(word),
          let length = spans.first(where: { $0.unit == unit })?.nanoseconds
        else {
          throw Refusal("must be a span of time such as 5s or 2min, not \"\(text)\"")
        }
        total += number * length
      }
      if total >= Double(range.lowerBound) && total <= Double(range.upperBound) {
        return Int64(total)
      }
      let (low, high) = (seconds(range.lowerBound), seconds(range.upperBound))
      throw Refusal("must be from \(low) to \(high), not \(text)")
    }
  }

  private static func seconds(_ value: Int64) -> String {
    Number.text(Double(value) / 1_000_000_000) + "s"
  }

  private static var spans: [(unit: String, nanoseconds: Double)] {
    let second = 1_000_000_000.0
    return [
      ("us", 1000), ("ms", 1_000_000), ("", second), ("s", second), ("sec", second),
      ("min", 60 * second), ("m", 60 * second), ("h", 3600 * second), ("d", 86400 * second),
      ("w", 604_800 * second),
    ]
  }
}

extension ValueType where Value == Int64? {
  /// A span of time from a second to a week in nanoseconds, or "never".
  static var spanOrNever: ValueType {
    let span = ValueType<Int64>.duration(1_000_000_000...604_800_000_000_000)
    return ValueType { text throws(Refusal) in text == "never" ? nil : try span.read(text) }
  }
}
