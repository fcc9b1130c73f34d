import JSON
import Testing

@testable import Control

/// A reply as a test reads it.
struct ReceivedReply {
  let value: JSONValue

  init(_ bytes: [UInt8]) throws {
    try #require(bytes.last == 0 && bytes.dropLast().allSatisfy { $0 != 0 })
    value = try JSONValue.parse(Array(bytes.dropLast()), limits: .init(size: 1 << 24))
  }

  var error: String? { value["error"]?.text }
  var continues: Bool { value["continues"]?.flag ?? false }
  subscript(name: String) -> JSONValue? { value["parameters"]?[name] }
  var state: String? { self["state"]?.text }
}

/// A call as bytes, without its NUL.
func call(_ method: String, _ parameters: String = "{}", more: Bool = false) -> [UInt8] {
  Array(#"{"method":"\#(method)","parameters":\#(parameters),"more":\#(more)}"#.utf8)
}

extension PadInfo {
  static let test = PadInfo(device: "Locker 17", version: "1.2")
}

extension SavedSignature {
  static func test(_ id: String = "0190", _ reference: String? = "4711") -> SavedSignature {
    SavedSignature(
      id: id, digest: "ab12", time: "2026-11-21T10:00:00.000Z", reference: reference, width: 300,
      height: 100, dpi: 300, png: Array("picture".utf8), svg: Array("<svg/>".utf8),
      strokes: [])
  }
}

/// A seeded generator, so that a failure can be had again.
struct SplitMix64: RandomNumberGenerator {
  private var state: UInt64
  init(seed: UInt64) { state = seed }
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
