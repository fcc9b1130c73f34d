// Release builds compile modules without what tests import, and no fuzzer is built of them.
#if DEBUG
  /// A parser or a state machine that takes any bytes.
  public struct FuzzTarget: Sendable {
    /// The name, which is also that of its folder in `Corpus`.
    public let name: String
    /// Runs it; returns the property that does not hold, or nil.
    public let run: @Sendable ([UInt8]) -> String?

    /// All targets.
    public static let all =
      files + recordings + messages + drawings + histories

    /// The target of this name.
    public static func named(_ name: String) -> FuzzTarget? { all.first { $0.name == name } }
  }

  /// Takes numbers from the bytes of an input; 0 beyond their end.
  struct FuzzBytes {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    var isEmpty: Bool { rest.isEmpty }

    mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

    mutating func word() -> UInt32 { (0..<4).reduce(0) { word, _ in word << 8 | UInt32(byte()) } }

    mutating func long() -> UInt64 { UInt64(word()) << 32 | UInt64(word()) }

    /// A number in 0..<1 of 16 bits.
    mutating func fraction() -> Float { Float(UInt16(byte()) << 8 | UInt16(byte())) / 65536 }

    /// Up to `count` bytes.
    mutating func take(_ count: Int) -> [UInt8] {
      let taken = Array(rest.prefix(count))
      rest = rest.dropFirst(count)
      return taken
    }

    /// All bytes that are left.
    mutating func takeAll() -> [UInt8] {
      defer { rest = [] }
      return Array(rest)
    }
  }

  extension String {
    /// Whether it is a line that a terminal prints as it is.
    var isOneLine: Bool {
      !isEmpty && unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7f || $0 == "\t" }
    }
  }
#endif
