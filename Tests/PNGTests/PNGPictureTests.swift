import Testing

@testable import PNG

@Suite struct PNGPictureTests {
  private func picture(_ channels: PNGPicture.Channels, _ bytes: [UInt8]) -> PNGPicture {
    PNGPicture(
      width: bytes.count / channels.rawValue, height: 1, channels: channels, bytes: bytes,
      scale: nil, texts: [])
  }

  @Test func `darkness is the difference to white paper`() {
    #expect(picture(.grey, [255, 0, 100]).darkness() == [0, 255, 155])
    #expect(picture(.rgb, [255, 255, 255, 0, 0, 0, 0, 0, 255]).darkness() == [0, 255, 227])
  }

  @Test func `transparent pixels are paper`() {
    #expect(picture(.greyAlpha, [0, 255, 0, 0, 0, 128]).darkness() == [255, 0, 128])
    #expect(picture(.rgba, [0, 0, 0, 77, 9, 9, 9, 0]).darkness() == [77, 0])
  }

  @Test func `black ink written with opacity gives its coverage back`() throws {
    let coverage = inkStain(width: 30, height: 20)
    let file = try PNGFile.encode(
      coverage.span.bytes,
      as: PNGHeader(width: 30, height: 20, pixels: .ink(red: 0, green: 0, blue: 0)))
    #expect(try PNGFile.decode(file).darkness() == coverage)
  }
}
