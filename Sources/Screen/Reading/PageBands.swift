internal import Linux

/// The compressed bands of a page, in a file in memory that has no name and ends with its owner.
///
/// As part of the program's memory, a page that cannot be compressed would make the program 7 MB larger.
struct PageBands: ~Copyable, Sendable {
  private let file: FileDescriptor
  /// The size in bytes.
  private(set) var size = 0
  /// Why a part was refused; nil: none was.
  private(set) var refusal: String?
  /// A part was refused because of the limit.
  private(set) var isTooLarge = false
  /// Where the bands end in the file.
  private var ends: [Int] = []
  private let limit: Int

  /// No bands, and room for `limit` bytes.
  init(limit: Int) throws(Errno) {
    file = try FileDescriptor(memoryNamed: "paraph-page")
    self.limit = limit
  }

  /// Writes the next part of a band; returns whether there was room.
  mutating func write(_ part: Span<UInt8>) -> Bool {
    guard part.count <= limit - size else {
      isTooLarge = true
      let tenths = (limit * 10) >> 20
      refusal = "it takes more than \(tenths / 10).\(tenths % 10) MiB in the panel's resolution"
      return false
    }
    do throws(Errno) {
      try unsafe file.writeAll(part.bytes)
    } catch {
      refusal = "it cannot be kept: \(error.text)"
      return false
    }
    size += part.count
    return true
  }

  /// The band is complete.
  mutating func endBand() { ends.append(size) }

  /// A band; empty: it cannot be read.
  subscript(band: Int) -> [UInt8] {
    guard ends.indices.contains(band) else { return [] }
    let start = band == 0 ? 0 : ends[band - 1]
    return (try? file.read(ends[band] - start, at: start)) ?? []
  }
}
