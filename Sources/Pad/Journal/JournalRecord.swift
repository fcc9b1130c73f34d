internal import Control
internal import Ink
internal import Touch

/// A change of the pad's state, as the journal records it.
///
/// A record begins with its kind (1 byte) and its checksum (3 bytes, little-endian): the CRC-24 of RFC 9580 over the
/// kind and all that follows. In a step of the ink follow the other 20 bytes of a `StrokeRecords` record; in others
/// the size of the content (4 bytes, little-endian) and the content.
enum JournalRecord {
  /// A step of the ink.
  case ink(StrokeRecords.Kind, Sample)
  /// All ink was wiped.
  case wiped
  /// The open request; nil: none is open.
  case request(PadRequest?)
  /// *Done* was pressed beside this content: the signature must be saved, unless its ink changes before. Nil: an earlier
  /// version has not recorded the content.
  case done(ShownContent?)
  /// The signature's item is about to be moved from the spool's `tmp` to `new`.
  case publishing(SavedSignature)
  /// The item was not moved.
  case notPublished
  /// The item was moved: the signature is kept for its client, and ink and request, which became it, are over.
  case published
  /// A signature that its client has not read. Only rewriting the journal writes it.
  case signed(SavedSignature)
  /// The client has read the signature of this identity.
  case read(String)

  private enum Kind: UInt8 {
    // From 1: `StrokeRecords.Kind`.
    case wiped = 16
    case request, done, publishing, notPublished, published, signed, read
  }

  private static let headSize = 4
  private static let sizeSize = 4

  /// The record of a step of the ink.
  init(_ step: GlassContact) {
    self = StrokeRecords.Kind(step).map { .ink($0, step.sample) } ?? .wiped
  }

  /// Appends the record's bytes.
  func append(to bytes: inout [UInt8]) {
    let start = bytes.count
    switch self {
    case .ink(let kind, let sample): StrokeRecords.append(kind, sample, to: &bytes)
    case .wiped: Self.append(.wiped, [], to: &bytes)
    case .request(let request):
      Self.append(.request, request.map { JournaledRequest.encode($0) } ?? [], to: &bytes)
    case .done(let shown):
      Self.append(.done, shown.map { JournaledContent.encode($0) } ?? [], to: &bytes)
    case .publishing(let signature):
      Self.append(.publishing, JournaledSignature.encode(signature), to: &bytes)
    case .notPublished: Self.append(.notPublished, [], to: &bytes)
    case .published: Self.append(.published, [], to: &bytes)
    case .signed(let signature):
      Self.append(.signed, JournaledSignature.encode(signature), to: &bytes)
    case .read(let id): Self.append(.read, Array(id.utf8), to: &bytes)
    }
    let check = Self.checksum(bytes[start...])
    for byte in 0..<3 { bytes[start + 1 + byte] = UInt8(check >> UInt32(8 * byte) & 0xff) }
  }

  private static func append(_ kind: Kind, _ content: [UInt8], to bytes: inout [UInt8]) {
    bytes += [kind.rawValue, 0, 0, 0]
    for byte in 0..<sizeSize { bytes.append(UInt8(content.count >> (8 * byte) & 0xff)) }
    bytes += content
  }

  /// Calls `body` with each record, up to the first that is cut or damaged. Skips records of unknown content.
  static func forEach(in bytes: [UInt8], _ body: (JournalRecord) -> Void) {
    var start = 0
    while start + headSize + sizeSize <= bytes.count {
      let ink = StrokeRecords.Kind(rawValue: bytes[start])
      var count = StrokeRecords.size
      if ink == nil {
        let size = number(bytes[(start + headSize)...].prefix(sizeSize))
        count = headSize + sizeSize + Int(clamping: min(size, UInt32(clamping: bytes.count)))
      }
      guard count <= bytes.count - start else { return }
      let record = bytes[start..<start + count]
      guard checksum(record) == number(record.dropFirst().prefix(3)) else { return }
      if let ink {
        if let sample = StrokeRecords.sample(record, at: start) { body(.ink(ink, sample)) }
      } else if let kind = Kind(rawValue: record[start]) {
        if let record = JournalRecord(kind, record.dropFirst(headSize + sizeSize)) { body(record) }
      }
      start += count
    }
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    bytes.reversed().reduce(0) { $0 << 8 | UInt32($1) }
  }

  private init?(_ kind: Kind, _ content: ArraySlice<UInt8>) {
    switch kind {
    case .wiped: self = .wiped
    case .request: self = .request(JournaledRequest.decode(Array(content)))
    case .done: self = .done(JournaledContent.decode(Array(content)))
    case .publishing:
      guard let signature = JournaledSignature.decode(content) else { return nil }
      self = .publishing(signature)
    case .notPublished: self = .notPublished
    case .published: self = .published
    case .signed:
      guard let signature = JournaledSignature.decode(content) else { return nil }
      self = .signed(signature)
    case .read: self = .read(String(decoding: content, as: UTF8.self))
    }
  }

  // MARK: - Checksum

  private static let checksums: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte) << 16) { remainder, _ in
      (remainder << 1) ^ (remainder & 0x80_0000 == 0 ? 0 : 0x186_4cfb)
    }
  }

  /// The CRC-24 of a record without its checksum. Finds every damage of up to 24 bits in a row.
  private static func checksum(_ record: ArraySlice<UInt8>) -> UInt32 {
    let table = checksums
    var remainder: UInt32 = 0xb7_04ce
    func add(_ byte: UInt8) {
      remainder = remainder << 8 & 0xff_ffff ^ table[Int(remainder >> 16 ^ UInt32(byte))]
    }
    add(record[record.startIndex])
    for index in (record.startIndex + headSize)..<record.endIndex { add(record[index]) }
    return remainder
  }
}
