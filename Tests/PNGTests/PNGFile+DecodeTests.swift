import Testing

@testable import PNG

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
    return stride(from: 0, to: digits.count - 1, by: 2).map {
      UInt8(digits[$0] * 16 + digits[$0 + 1])
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

  @Test func `bytes behind the end do no harm`() throws {
    let file = try sound()
    let followed = try PNGFile.decode(file + [1, 2, 3])
    #expect(try PNGFile.decode(file) == followed)
  }

  @Test func `what is no PNG is told apart from a damaged one`() throws {
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
  func `noise with a PNG's beginning is refused`(_ seed: UInt64) {
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
