/// A message between a program and paraph-seal: a kind and its fields, in a frame with a length.
///
/// The frame is "PSL1" and the number of bytes that follow (4 bytes, most significant first). These are the kind (1 byte)
/// and the fields, each a length like the frame's and as many bytes.
struct SealMessage: Equatable, Sendable {
  var kind: UInt8
  var fields: [[UInt8]]

  /// The size of a frame before its content.
  static let headSize = 8
  /// The limit of the content, in bytes: four files of the spool's limit.
  static let sizeLimit = 132 << 20
  /// The limit of the number of fields.
  static let fieldLimit = 64
  private static let mark: [UInt8] = [0x50, 0x53, 0x4c, 0x31]
  private static let lengthSize = 4

  init(_ kind: UInt8, _ fields: [[UInt8]]) {
    self.kind = kind
    self.fields = fields
  }

  /// The size of the content after a frame's head; nil for bytes that begin no message.
  static func contentSize(head: [UInt8]) -> Int? {
    guard head.count == headSize, head.starts(with: mark),
      let size = length(head[mark.count...]), (1...sizeLimit).contains(size)
    else { return nil }
    return size
  }

  /// The frame; nil if it would exceed the limits.
  var bytes: [UInt8]? {
    var size = 1
    for field in fields {
      guard field.count <= Self.sizeLimit else { return nil }
      size += Self.lengthSize + field.count
      if size > Self.sizeLimit { return nil }
    }
    guard fields.count <= Self.fieldLimit else { return nil }
    var bytes = Self.mark
    bytes.reserveCapacity(Self.headSize + size)
    Self.append(length: size, to: &bytes)
    bytes.append(kind)
    for field in fields {
      Self.append(length: field.count, to: &bytes)
      bytes += field
    }
    return bytes
  }

  /// Parses the content of a frame; nil for one that is invalid.
  init?(content: [UInt8]) {
    guard let kind = content.first, content.count <= Self.sizeLimit else { return nil }
    var fields: [[UInt8]] = []
    var rest = content.dropFirst()
    while !rest.isEmpty {
      guard fields.count < Self.fieldLimit, let size = Self.length(rest.prefix(Self.lengthSize)),
        size <= rest.count - Self.lengthSize
      else { return nil }
      fields.append(Array(rest.dropFirst(Self.lengthSize).prefix(size)))
      rest = rest.dropFirst(Self.lengthSize + size)
    }
    self.init(kind, fields)
  }

  private static func append(length: Int, to bytes: inout [UInt8]) {
    for shift in [24, 16, 8, 0] { bytes.append(UInt8(length >> shift & 0xff)) }
  }

  /// Four bytes as a number; nil if there are fewer, or if it exceeds an `Int` of 32 bits.
  private static func length(_ bytes: ArraySlice<UInt8>) -> Int? {
    guard bytes.count == lengthSize else { return nil }
    return Int(exactly: bytes.reduce(UInt32(0)) { $0 << 8 | UInt32($1) })
  }
}

/// The frame of a message, for programs that read it from a stream.
public enum SealFrame {
  /// The number of bytes that tell how many follow.
  public static let headSize = SealMessage.headSize

  /// The number of bytes that follow this head; nil for bytes that begin no message.
  public static func contentSize(head: [UInt8]) -> Int? { SealMessage.contentSize(head: head) }

  /// The content of a whole frame; nil if it is cut, or if anything follows it.
  public static func content(of frame: [UInt8]) -> [UInt8]? {
    guard let size = contentSize(head: Array(frame.prefix(headSize))),
      frame.count - headSize == size
    else { return nil }
    return Array(frame.dropFirst(headSize))
  }
}
