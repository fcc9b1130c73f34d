@testable import Seal

/// A sealed file in parts, which tests change. The lengths around them fit again afterwards.
struct SealedParts {
  private let recipients: [UInt8]
  private let type: [UInt8]
  /// The cipher's identifier and parameters.
  var cipher: [UInt8]
  /// Of AES-GCM.
  let nonce: [UInt8]
  var content: [UInt8]
  /// The authentication code.
  var code: [UInt8]
  /// What follows the code.
  var attributes: [UInt8] = []

  /// Nil: this is no sealed file.
  init?(_ bytes: [UInt8]) {
    var file = DERReader(bytes[...])
    guard var message = file.next(0x30), message.skip(Self.identifier),
      var explicit = message.next(0xa0), var data = explicit.next(0x30), data.skip([2, 1, 0]),
      let recipients = data.next(0x31), var content = data.next(0x30), let code = data.next(4),
      let type = content.next(6), let cipher = content.next(0x30), let text = content.next(0x80)
    else { return nil }
    var parameters = cipher
    guard parameters.next(6) != nil, var sequence = parameters.next(0x30),
      let nonce = sequence.next(4)
    else { return nil }
    self.recipients = Array(recipients.rest)
    self.type = Array(type.rest)
    self.cipher = Array(cipher.rest)
    self.nonce = Array(nonce.rest)
    self.content = Array(text.rest)
    self.code = Array(code.rest)
  }

  /// The sealed file.
  var bytes: [UInt8] {
    let encrypted =
      Self.element(6, type) + Self.element(0x30, cipher) + Self.element(0x80, content)
    let data =
      [2, 1, 0] + Self.element(0x31, recipients) + Self.element(0x30, encrypted)
      + Self.element(4, code) + attributes
    return Self.element(0x30, Self.identifier + Self.element(0xa0, Self.element(0x30, data)))
  }

  /// AuthEnvelopedData.
  private static let identifier: [UInt8] = [
    6, 11, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 9, 16, 1, 23,
  ]

  /// A cipher of NIST's arc for AES, such as 43 for AES-256-OFB, with its parameters.
  static func aes(_ number: UInt8, _ parameters: [UInt8]) -> [UInt8] {
    element(6, [0x60, 0x86, 0x48, 1, 0x65, 3, 4, 1, number]) + parameters
  }

  /// AES-256-GCM with the size of its code, an element, or none.
  static func gcm(_ nonce: [UInt8], _ size: [UInt8]) -> [UInt8] {
    aes(46, element(0x30, element(4, nonce) + size))
  }

  /// An element in DER with up to 65535 bytes.
  static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
    let (high, low) = (UInt8(content.count >> 8), UInt8(content.count & 0xff))
    return [tag] + (high > 0 ? [0x82, high, low] : low >= 0x80 ? [0x81, low] : [low]) + content
  }
}
