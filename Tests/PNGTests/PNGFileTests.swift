import Raster
import Testing

@testable import PNG

/// A small picture with paper, edges and solid ink in it.
func inkStain(width: Int, height: Int) -> [UInt8] {
  (0..<width * height).map { index in
    let (x, y) = (index % width - width / 2, index / width - height / 2)
    return UInt8(clamping: 320 - (x * x + y * y) / 2)
  }
}

@Suite struct PNGFileEncodeTests {
  @Test func `a grey picture comes back byte by byte`() throws {
    let pixels = inkStain(width: 61, height: 47)
    let file = try PNGFile.encode(
      pixels.span.bytes, as: PNGHeader(width: 61, height: 47, pixels: .grey))
    let picture = try PNGFile.decode(file)
    #expect(picture.width == 61 && picture.height == 47 && picture.channels == .grey)
    #expect(picture.bytes == pixels)
    #expect(picture.scale == nil && picture.texts.isEmpty)
  }

  @Test func `darkness d is written as the grey 255 - d`() throws {
    let pixels = inkStain(width: 61, height: 47)
    let file = try PNGFile.encode(
      pixels.span.bytes, as: PNGHeader(width: 61, height: 47, pixels: .darkness))
    let light = pixels.map { 255 - $0 }
    #expect(
      try PNGFile.encode(
        light.span.bytes, as: PNGHeader(width: 61, height: 47, pixels: .grey)) == file)
  }

  @Test(.needsIndependentReaders)
  func `independent readers find the file sound and the same pixels in it`() throws {
    let pixels = inkStain(width: 300, height: 200)
    let file = try PNGFile.encode(
      pixels.span.bytes,
      as: PNGHeader(
        width: 300, height: 200, pixels: .grey, scale: Scale(dpi: 96),
        texts: [PNGText("ID", "0193"), PNGText("Reference", "Łódź №7")]))
    let (status, output) = try IndependentReader.check(file)
    #expect(status == 0, "\(output)")
    #expect(output.contains("8-bit grayscale, non-interlaced"))
    #expect(output.contains("3780x3780 pixels/meter (96 dpi)"))
    #expect(output.contains("tEXt") && output.contains("iTXt"))
    #expect(try IndependentReader.rows(file) == hexadecimal(pixels))
  }

  /// 40 by 30 pixels of blue ink.
  private func inkFile(_ pixels: [UInt8]) throws -> [UInt8] {
    try PNGFile.encode(
      pixels.span.bytes,
      as: PNGHeader(width: 40, height: 30, pixels: .ink(red: 10, green: 20, blue: 90)))
  }

  @Test(.needsIndependentReaders)
  func `independent readers find a palette of one colour and the coverage in it`() throws {
    let pixels = inkStain(width: 40, height: 30)
    let file = try inkFile(pixels)
    let (status, output) = try IndependentReader.check(file)
    #expect(status == 0 && output.contains("8-bit palette"), "\(output)")
    #expect(output.contains("256 transparency entries"))
    #expect(try IndependentReader.rows(file) == hexadecimal(pixels))
  }

  @Test func `ink is a palette of one colour whose opacity is the coverage`() throws {
    let pixels = inkStain(width: 40, height: 30)
    let file = try inkFile(pixels)
    let picture = try PNGFile.decode(file)
    #expect(picture.channels == .rgba)
    #expect(picture.bytes == pixels.flatMap { [10, 20, 90, $0] })
  }

  @Test func `a screen's words become red, green and blue`() throws {
    let words: [UInt32] = [0x00ff_8001, 0xff01_02fe, 0, 0xffff_ffff]
    let file = try PNGFile.encode(
      words.span.bytes, as: PNGHeader(width: 2, height: 2, pixels: .xrgb))
    let picture = try PNGFile.decode(file)
    #expect(picture.channels == .rgb)
    #expect(picture.bytes == [255, 128, 1, 1, 2, 254, 0, 0, 0, 255, 255, 255])
    let same = try PNGFile.encode(
      picture.bytes.span.bytes, as: PNGHeader(width: 2, height: 2, pixels: .rgb))
    #expect(same == file)
  }

  @Test func `a rectangle is cut out of a larger picture by its row distance`() throws {
    let pixels = inkStain(width: 50, height: 40)
    let part = pixels.span.extracting((10 * 50 + 20)..<(14 * 50 + 29))
    let file = try PNGFile.encode(
      part.bytes, bytesPerRow: 50, as: PNGHeader(width: 9, height: 5, pixels: .grey))
    var expected: [UInt8] = []
    for row in 10..<15 as Range<Int> {
      let start = row * 50 + 20
      expected += pixels[start..<start + 9]
    }
    #expect(try PNGFile.decode(file).bytes == expected)
  }

  @Test func `the density is kept for each axis and the texts in order`() throws {
    let texts = [
      PNGText("ID", "01936d2e-7c1f"), .creationTime("2026-11-21T05:02:57.123Z"),
      PNGText("Reference", "größer 签名"), .software("paraph"),
    ]
    let file = try PNGFile.encode(
      [0].span.bytes,
      as: PNGHeader(
        width: 1, height: 1, pixels: .grey, scale: Scale(x: 7.4, y: 7.375), texts: texts))
    let picture = try PNGFile.decode(file)
    #expect(picture.scale == Scale(x: 7.4, y: 7.375))
    #expect(picture.texts == texts)
    #expect(picture.text("ID") == "01936d2e-7c1f" && picture.text("Title") == nil)
  }

  @Test(arguments: [0, -1, .nan, .infinity, 3e9] as [Float])
  func `an invalid density is left out`(_ density: Float) throws {
    let file = try PNGFile.encode(
      [0].span.bytes,
      as: PNGHeader(
        width: 1, height: 1, pixels: .grey, scale: Scale(x: density, y: 4)))
    #expect(try PNGFile.decode(file).scale == nil)
  }

  @Test(arguments: ["", " ID", "ID ", "I  D", "Größe", "a\nb", String(repeating: "k", count: 80)])
  func `a key that PNG does not allow is refused`(_ key: String) {
    #expect(throws: PNGError.invalidText(key: key)) {
      _ = try PNGFile.encode(
        [0].span.bytes,
        as: PNGHeader(width: 1, height: 1, pixels: .grey, texts: [PNGText(key, "x")]))
    }
  }

  @Test func `a text that a NUL would cut short is refused`() {
    #expect(throws: PNGError.invalidText(key: "ID")) {
      _ = try PNGFile.encode(
        [0].span.bytes,
        as: PNGHeader(width: 1, height: 1, pixels: .grey, texts: [PNGText("ID", "a\0b")]))
    }
  }

  @Test(arguments: [(0, 4), (4, 0), (-1, 4), (5, 4), (4, 5), (Int.max, 2), (2, Int.max)])
  func `a size that the pixels do not fill is refused`(_ width: Int, _ height: Int) {
    let pixels = [UInt8](repeating: 0, count: 16)
    #expect(throws: PNGError.invalidSize(width: width, height: height)) {
      _ = try PNGFile.encode(
        pixels.span.bytes, as: PNGHeader(width: width, height: height, pixels: .grey))
    }
  }

  @Test func `the pieces for a sink make the same file`() throws {
    let pixels = inkStain(width: 200, height: 100)
    let header = PNGHeader(width: 200, height: 100, pixels: .grey)
    var file: [UInt8] = []
    try PNGFile.encode(pixels.span.bytes, as: header) { part in
      for index in part.indices { file.append(part[index]) }
      return true
    }
    #expect(try file == PNGFile.encode(pixels.span.bytes, as: header))
  }

  @Test func `a failing sink ends the writing at any point`() throws {
    let pixels = inkStain(width: 200, height: 100)
    let header = PNGHeader(width: 200, height: 100, pixels: .grey)
    let length = try PNGFile.encode(pixels.span.bytes, as: header).count
    var room = 0
    while room < length {
      #expect(throws: PNGError.refused) {
        var taken = 0
        try PNGFile.encode(pixels.span.bytes, as: header) { part in
          taken += part.count
          return taken <= room
        }
      }
      room += max(1, length / 50)
    }
  }
}

@Suite struct PNGFileDecodeTests {
  // Made by hand with Python's struct and zlib.
  static let palette = bytes(
    "89504e470d0a1a0a0000000d4948445200000003000000020203000000e01a8e8900000009504c5445ffffff0a141e"
      + "c86432ac96a30e0000000274524e5300809b2b4e180000000c4944415478da63906098000000dc00a9521a138f00"
      + "00000049454e44ae426082")
  static let bilevel = bytes(
    "89504e470d0a1a0a0000000d494844520000000900000001010000000024b9b9d00000000b4944415478da63d8dc00"
      + "0001e901349aae62330000000049454e44ae426082")
  static let interlaced16 = bytes(
    "89504e470d0a1a0a0000000d494844520000000300000002100400000110ea4244000000254944415478da636060f8"
      + "ff9f4149e9ef5f0641c17fff188c8dfffc7171f9fd3b34f4d72f00a7720dd540d9eca20000000049454e44ae4260"
      + "82")

  private static func bytes(_ hexadecimal: String) -> [UInt8] {
    let digits = hexadecimal.compactMap(\.hexDigitValue)
    return stride(from: 0, to: digits.count - 1, by: 2).map { (place: Int) -> UInt8 in
      UInt8(digits[place] * 16 + digits[place + 1])
    }
  }

  private func sound() throws -> [UInt8] {
    try PNGFile.encode(
      inkStain(width: 64, height: 48).span.bytes,
      as: PNGHeader(
        width: 64, height: 48, pixels: .grey, texts: [PNGText("ID", "1"), PNGText("T", "é")]))
  }

  @Test func `a palette with opacities is spread out to four channels`() throws {
    let picture = try PNGFile.decode(Self.palette)
    #expect(picture.width == 3 && picture.height == 2 && picture.channels == .rgba)
    let white: [UInt8] = [255, 255, 255, 0]
    let blue: [UInt8] = [10, 20, 30, 128]
    let brown: [UInt8] = [200, 100, 50, 255]
    #expect(picture.bytes == [white, blue, brown, brown, blue, white].flatMap { $0 })
  }

  @Test func `one bit becomes black and white`() throws {
    let picture = try PNGFile.decode(Self.bilevel)
    #expect(picture.channels == .grey)
    #expect(picture.bytes == [255, 0, 255, 255, 0, 0, 255, 255, 255])
  }

  @Test func `sixteen interlaced bits are rounded to eight in place`() throws {
    let picture = try PNGFile.decode(Self.interlaced16)
    #expect(picture.channels == .greyAlpha)
    #expect(picture.bytes == [0, 255, 17, 254, 34, 253, 51, 252, 68, 251, 85, 250])
  }

  @Test func `a file that ends too early is refused, wherever it ends`() throws {
    let file = try sound()
    for length in 0..<file.count {
      #expect(throws: PNGError.self, "after \(length) bytes") {
        _ = try PNGFile.decode(Array(file.prefix(length)))
      }
    }
  }

  @Test func `bytes after the end are ignored`() throws {
    let file = try sound()
    let followed = try PNGFile.decode(file + [1, 2, 3])
    #expect(try PNGFile.decode(file) == followed)
  }

  @Test func `a file that is not a PNG differs from a damaged PNG`() throws {
    #expect(throws: PNGError.notPNG) { _ = try PNGFile.decode([]) }
    #expect(throws: PNGError.notPNG) { _ = try PNGFile.decode(Array("GIF89a..........".utf8)) }
    var file = try sound()
    // The CRC of IDAT stands before the twelve bytes of IEND.
    file[file.count - 13] ^= 0x10
    #expect(throws: PNGError.damaged("IDAT: CRC error")) { _ = try PNGFile.decode(file) }
  }

  @Test func `a picture beyond the limit is refused by its size alone`() throws {
    let file = try sound()
    #expect(throws: PNGError.tooLarge(width: 64, height: 48)) {
      _ = try PNGFile.decode(file, pixelLimit: 64 * 48 - 1)
    }
    #expect(try PNGFile.decode(file, pixelLimit: 64 * 48).width == 64)
  }

  @Test func `a reader keeps no more texts than 64`() throws {
    func kept(_ count: Int) throws -> Int {
      let header = PNGHeader(
        width: 1, height: 1, pixels: .grey,
        texts: [PNGText](repeating: PNGText("Comment", "x"), count: count))
      return try PNGFile.decode(PNGFile.encode(([7] as [UInt8]).span.bytes, as: header)).texts.count
    }
    #expect(try kept(50) == 50)
    let most = try kept(100)
    #expect((50...64).contains(most))
  }

  @Test func `any byte may be wrong: an error or a picture, never a crash`() throws {
    let files = [try sound(), Self.palette, Self.bilevel, Self.interlaced16]
    for file in files {
      for place in file.indices {
        for mask in [0x01, 0x80, 0xff] as [UInt8] {
          var damaged = file
          damaged[place] ^= mask
          guard let picture = try? PNGFile.decode(damaged, pixelLimit: 1 << 16) else {
            continue
          }
          #expect(
            picture.bytes.count == picture.width * picture.height * picture.channels.rawValue)
        }
      }
    }
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `noise after a PNG's signature is refused`(_ seed: UInt64) {
    var state = seed &+ 0x9e37_79b9
    let noise = (0..<4096).map { _ -> UInt8 in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return UInt8(truncatingIfNeeded: state >> 56)
    }
    #expect(throws: PNGError.self, "seed \(seed)") {
      _ = try PNGFile.decode(Self.palette.prefix(16) + noise)
    }
  }
}
