import Ink
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
      id: id, digest: "ab12", time: 1_795_255_200_000_000_000, reference: reference, width: 300,
      height: 100, dpi: 300, png: Array("picture".utf8), glass: Point(154, 86),
      strokes: [])
  }

  /// More than the kernel's buffers take.
  static func large(_ id: String) -> SavedSignature {
    var signature = test(id)
    signature.png = [UInt8](repeating: 7, count: 3 << 20)
    return signature
  }

  /// Says what it is asked to draw.
  static func drawn(_ signature: SavedSignature, _ format: SignatureFormat) -> [UInt8]? {
    Array("<\(format.rawValue)/>".utf8)
  }
}
