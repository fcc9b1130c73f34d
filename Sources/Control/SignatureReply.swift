internal import JSON

/// A reply that carries a signature, as pieces that other replies share: a file of a signature is coded once,
/// and kept once however many clients are sent it.
public struct SignatureReply: Equatable, Sendable {
  /// One after the other they are the reply with its NUL.
  let pieces: [[UInt8]]

  /// `members` before the signature; `signature` as `RememberedSignature` has it.
  init(_ members: [(String, JSONValue)], signature: [[UInt8]]) {
    var head = Array(#"{"parameters":"#.utf8)
    head += JSONValue.object(members).bytes(digits: 9).dropLast()
    if !members.isEmpty { head.append(UInt8(ascii: ",")) }
    head += Array(#""signature":"#.utf8)
    pieces = [head] + signature + [Array("}}".utf8) + [0]]
  }

  /// The reply in one piece.
  var bytes: [UInt8] { pieces.flatMap { $0 } }
}
