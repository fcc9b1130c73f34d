import Raster
import Testing

@testable import PNG

@Suite struct PNGCheckTests {
  static let limits = PNGCheck.Limits(pixels: 4000, interlaced: 300, side: 200)

  /// A grey picture of 61 × 47 pixels with a density and a text.
  static let grey: [UInt8] =
    (try? PNGFile.encode(
      inkStain(width: 61, height: 47).span.bytes,
      as: PNGHeader(
        width: 61, height: 47, pixels: .grey, scale: Scale(dpi: 96), texts: [PNGText("ID", "0193")]
      ))) ?? []

  static let files = [
    grey, PNGFileDecodeTests.palette, PNGFileDecodeTests.bilevel, PNGFileDecodeTests.interlaced16,
  ]

  /// A check that expectations can refer to.
  private final class Check {
    private var check: PNGCheck

    init() throws(PNGError) { check = try PNGCheck(PNGCheckTests.limits) }

    func add(_ part: some Collection<UInt8>) throws(PNGError) { try check.add(Array(part).span) }

    var isComplete: Bool { check.isComplete }
    var size: [Int] { [check.size.width, check.size.height] }
  }

  /// Why a file does not pass in parts of this size; nil: it is sound, and whole.
  private func refusal(
    _ file: [UInt8], parts: Int = .max, limits: PNGCheck.Limits = limits
  ) -> PNGError? {
    do throws(PNGError) {
      var check = try PNGCheck(limits)
      var place = 0
      while place < file.count {
        // A copy of its own, beyond whose end a sanitizer sees a read.
        let part = Array(file[place..<min(file.count, place + min(parts, file.count))])
        try check.add(part.span)
        place += part.count
      }
      return check.isComplete ? nil : .damaged("incomplete")
    } catch { return error }
  }

  @Test func `a chunk before the header is refused, as the reader refuses it`() {
    let file = Array(Self.grey.prefix(8) + chunk("tEXt", Array("ID".utf8)) + Self.grey.dropFirst(8))
    #expect(refusal(file) == .damaged("missing IHDR"))
    #expect(throws: PNGError.self) { try PNGFile.decode(file) }
  }

  /// Debian 13's libpng reads no such file, Debian 12's does.
  @Test func `a chunk of a reserved type is refused`() {
    func file(_ type: String) -> [UInt8] {
      Array(Self.grey.dropLast(12) + chunk(type, Array("ID".utf8)) + Self.grey.suffix(12))
    }
    #expect(refusal(file("teXt")) == nil)
    #expect(refusal(file("text")) == .damaged("a chunk has an invalid type"))
  }

  @Test(arguments: files)
  func `a sound file passes in parts of any size`(_ file: [UInt8]) {
    #expect(!file.isEmpty)
    for size in [1, 2, 3, 7, 8, 9, 64, file.count - 1, file.count] {
      #expect(refusal(file, parts: size) == nil, "parts of \(size) bytes")
    }
  }

  @Test(arguments: files)
  func `a file is complete after its last byte, and not before`(_ file: [UInt8]) throws {
    let check = try Check()
    for place in file.indices {
      #expect(!check.isComplete, "before byte \(place)")
      try check.add([file[place]])
    }
    #expect(check.isComplete)
    for length in 0..<file.count {
      #expect(refusal(Array(file.prefix(length))) == .damaged("incomplete"), "\(length) bytes")
    }
  }

  @Test func `the size is known before the first row`() throws {
    let check = try Check()
    try check.add(Self.grey.prefix(20))
    #expect(check.size == [0, 0])
    try check.add(Self.grey[20...])
    #expect(check.size == [61, 47])
  }

  @Test(arguments: [Int.max, 1])
  func `a flipped byte of the header or of the pixels is refused`(parts: Int) throws {
    let file = Self.grey
    let chunks = chunks(of: file)
    #expect(chunks.map(\.type) == ["IHDR", "pHYs", "tEXt", "IDAT", "IEND"])
    for chunk in chunks where ["IHDR", "IDAT", "IEND"].contains(chunk.type) {
      // With its length, type and checksum.
      for place in chunk.bytes {
        for mask in [0x01, 0x80] as [UInt8] {
          var damaged = file
          damaged[place] ^= mask
          #expect(refusal(damaged, parts: parts) != nil, "\(chunk.type): byte \(place) ^ \(mask)")
        }
      }
    }
  }

  @Test(arguments: files)
  func `a damaged file that passes can be decoded`(_ file: [UInt8]) {
    for place in file.indices {
      for mask in [0x01, 0x20, 0x80, 0xff] as [UInt8] {
        var damaged = file
        damaged[place] ^= mask
        let (whole, bytewise) = (refusal(damaged), refusal(damaged, parts: 1))
        #expect((whole == nil) == (bytewise == nil), "byte \(place) ^ \(mask)")
        guard whole == nil else { continue }
        #expect(throws: Never.self, "byte \(place) ^ \(mask)") {
          _ = try PNGFile.decode(damaged, pixelLimit: 1 << 16)
        }
      }
    }
  }

  @Test(arguments: [Int.max, 1, 10])
  func `pixels that are missing or too many are refused, with valid checksums`(parts: Int) throws {
    // Stored blocks of zlib: two rows of three bytes, with their filters.
    let rows: [UInt8] = [0, 1, 2, 3, 0, 4, 5, 6]
    func file(_ pixels: [UInt8], adler: UInt32? = nil) -> [UInt8] {
      picture(width: 3, height: 2, [("IDAT", stored(pixels, adler: adler))])
    }
    #expect(refusal(file(rows), parts: parts) == nil)
    #expect(refusal(file([]), parts: parts) != nil)
    for count in [1, 3, 4, 7] {
      #expect(refusal(file(Array(rows.prefix(count))), parts: parts) != nil, "\(count) bytes")
    }
    #expect(refusal(file(rows + [0]), parts: parts) != nil)
    #expect(refusal(file(rows, adler: 1), parts: parts) != nil)
    #expect(refusal(file([5] + rows.dropFirst()), parts: parts) != nil)
    let data = stored(rows)
    let halves = [("IDAT", Array(data.prefix(7))), ("IDAT", Array(data.dropFirst(7)))]
    #expect(refusal(picture(width: 3, height: 2, halves), parts: parts) == nil)
    let apart = [halves[0], ("tEXt", Array("a\0b".utf8)), halves[1]]
    #expect(refusal(picture(width: 3, height: 2, apart), parts: parts) != nil)
    #expect(refusal(picture(width: 3, height: 2, []), parts: parts) != nil)
  }

  @Test func `a picture that is too large is refused before its pixels`() throws {
    /// Without pixels.
    func refusal(width: UInt32, height: UInt32, interlaced: Bool = false) -> PNGError? {
      let file = picture(width: width, height: height, interlaced: interlaced, [("IDAT", [])])
      // To the type of the first chunk of pixels: 8 for the signature, 25 for the header, 8.
      return self.refusal(Array(file.prefix(8 + 25 + 8)))
    }
    let passes = PNGError.damaged("incomplete")
    #expect(refusal(width: 80, height: 50) == passes)
    #expect(refusal(width: 81, height: 50) == .tooLarge(width: 81, height: 50))
    #expect(refusal(width: 200, height: 1) == passes)
    #expect(refusal(width: 201, height: 1) == .tooLarge(width: 201, height: 1))
    #expect(refusal(width: 1, height: 201) == .tooLarge(width: 1, height: 201))
    #expect(refusal(width: 15, height: 20, interlaced: true) == passes)
    #expect(
      refusal(width: 16, height: 20, interlaced: true) == .tooLarge(width: 16, height: 20))
    for (width, height) in [(0, 1), (1, 0), (.max, 1), (1 << 31 - 1, 1 << 31 - 1)] as [Size] {
      let result = refusal(width: width, height: height)
      #expect(result != nil && result != passes, "\(width) × \(height)")
    }
  }

  private typealias Size = (UInt32, UInt32)

  @Test(arguments: [Int.max, 1])
  func `data behind the end is refused, in the last part or in another one`(parts: Int) throws {
    let end = PNGError.damaged("there is data behind the end")
    #expect(refusal(Self.grey + [0], parts: parts) == end)
    #expect(refusal(Self.grey + Self.grey, parts: parts) == end)
    #expect(refusal(Self.grey + chunk("tEXt", Array("a\0b".utf8)), parts: parts) == end)
    let check = try Check()
    #expect(throws: end) { try check.add(Self.grey + [0]) }
    #expect(!check.isComplete)
  }

  @Test func `what is no PNG is refused by its first byte that differs`() throws {
    for text in ["GIF89a", "%PDF-1.7", "\u{89}PNG"] {
      let check = try Check()
      #expect(throws: PNGError.notPNG) { try check.add(Array(text.utf8)) }
    }
    #expect(refusal(Array(Self.grey.dropFirst())) == .notPNG)
    let check = try Check()
    try check.add(Self.grey.prefix(5))
    #expect(throws: PNGError.notPNG) { try check.add([0]) }
  }

  @Test func `after a failure it fails again`() throws {
    let check = try Check()
    #expect(throws: PNGError.notPNG) { try check.add([1, 2, 3]) }
    #expect(throws: PNGError.notPNG) { try check.add(Self.grey) }
    #expect(throws: PNGError.notPNG) { try check.add([UInt8]()) }
    #expect(!check.isComplete)
  }

  @Test func `no chunk makes it keep more than a mebibyte`() {
    func refusal(_ type: String, _ size: Int) -> PNGError? {
      let extra = chunk(type, Array("a\0".utf8) + [UInt8](repeating: 32, count: size - 2))
      let head = Self.grey.prefix(8 + 25)
      return self.refusal(head + extra + Self.grey.dropFirst(8 + 25), parts: 24_000)
    }
    #expect(refusal("tEXt", 1 << 20) == nil)
    for type in ["tEXt", "abCd", "PLTE", "ABCD"] {
      #expect(refusal(type, 1 << 20 + 1) == .damaged("a chunk is too large"))
    }
    #expect(refusal("ABCD", 9) != nil && refusal("a Cd", 9) != nil)
  }

  // MARK: - Files

  /// The chunks of a sound file with the places of their bytes.
  private func chunks(of file: [UInt8]) -> [(type: String, bytes: Range<Int>)] {
    var chunks: [(type: String, bytes: Range<Int>)] = []
    var place = 8
    while place + 12 <= file.count {
      let size = file[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
      let type = String(decoding: file[place + 4..<place + 8], as: UTF8.self)
      chunks.append((type, place..<place + 12 + size))
      place += 12 + size
    }
    return chunks
  }

  private func number(_ value: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }

  /// A chunk with the CRC-32 of ISO 3309.
  private func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
    let bytes = Array(type.utf8) + content
    var remainder = UInt32.max
    for byte in bytes {
      remainder ^= UInt32(byte)
      for _ in 0..<8 {
        remainder = remainder >> 1 ^ (remainder & 1 == 1 ? 0xedb8_8320 : 0)
      }
    }
    return number(UInt32(content.count)) + bytes + number(~remainder)
  }

  /// An 8-bit grey picture.
  private func picture(
    width: UInt32, height: UInt32, interlaced: Bool = false, _ parts: [(String, [UInt8])]
  ) -> [UInt8] {
    let header = number(width) + number(height) + [8, 0, 0, 0, interlaced ? 1 : 0]
    return [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] + chunk("IHDR", header)
      + parts.flatMap { chunk($0, $1) } + chunk("IEND", [])
  }

  /// A zlib stream of one stored block (RFC 1950, RFC 1951).
  private func stored(_ bytes: [UInt8], adler: UInt32? = nil) -> [UInt8] {
    var (low, high): (UInt32, UInt32) = (1, 0)
    for byte in bytes {
      low = (low + UInt32(byte)) % 65521
      high = (high + low) % 65521
    }
    let count = UInt8(bytes.count)
    return [0x78, 0x01, 1, count, 0, ~count, 0xff] + bytes + number(adler ?? high << 16 | low)
  }
}
