import Raster
import Testing

@testable import PNG

@Suite struct PNGRowsTests {
  static let files = [
    PNGFileDecodeTests.palette, PNGFileDecodeTests.bilevel, PNGFileDecodeTests.interlaced16,
  ]

  private func rows(_ file: [UInt8]) throws(PNGError) -> [UInt8] {
    try PNGFile.read(file) { (rows) throws(PNGError) in
      var (all, row) = ([UInt8](), [UInt8]())
      for _ in 0..<rows.height {
        try rows.next(into: &row)
        all += row
      }
      return all
    }
  }

  @Test(arguments: files) func `reading row by row gives the same picture`(_ file: [UInt8]) throws {
    #expect(try rows(file) == (try PNGFile.decode(file).bytes))
  }

  @Test(arguments: files) func `a file that ends too early is refused, wherever it ends`(
    _ file: [UInt8]
  ) {
    for length in 0..<file.count {
      #expect(throws: PNGError.self, "after \(length) bytes") {
        _ = try rows(Array(file.prefix(length)))
      }
    }
  }

  @Test func `any byte may be wrong: an error or a picture, never a crash`() {
    for file in Self.files {
      for place in file.indices {
        for mask in [0x01, 0x80, 0xff] as [UInt8] {
          var damaged = file
          damaged[place] ^= mask
          let whole = try? PNGFile.decode(damaged, pixelLimit: 1 << 16)
          let read = try? PNGFile.read(damaged, pixelLimit: 1 << 16) {
            (rows) throws(PNGError) in
            var row: [UInt8] = []
            for _ in 0..<rows.height { try rows.next(into: &row) }
            return rows.height
          }
          #expect((whole == nil) == (read == nil), "byte \(place) ^ \(mask)")
        }
      }
    }
  }

  @Test func `there is no row after the last`() throws {
    #expect(throws: PNGError.damaged("there are no more rows")) {
      try PNGFile.read(Self.files[0]) { (rows) throws(PNGError) in
        var row: [UInt8] = []
        for _ in 0...rows.height { try rows.next(into: &row) }
      }
    }
  }

  @Test func `an interlaced picture has a limit of its own`() {
    #expect(throws: PNGError.tooLarge(width: 3, height: 2)) {
      try PNGFile.read(Self.files[2], interlacedLimit: 5) { _ in }
    }
    #expect(throws: Never.self) { try PNGFile.read(Self.files[0], interlacedLimit: 5) { _ in } }
    #expect(throws: PNGError.tooLarge(width: 3, height: 2)) {
      try PNGFile.read(Self.files[0], pixelLimit: 5) { _ in }
    }
  }

  private func scaled(
    _ file: [UInt8], width: Int, height: Int
  ) throws -> [[SIMD4<Float>]] {
    try PNGFile.read(file) { (rows) throws(PNGError) in
      var all: [[SIMD4<Float>]] = []
      let columns = Resampling(
        source: rows.width, start: 0, length: Float(rows.width), target: width)
      let lines = Resampling(
        source: rows.height, start: 0, length: Float(rows.height), target: height)
      try rows.scaled(columns, lines) { row, pixels in
        #expect(row == all.count)
        all.append(pixels.indices.map { pixels[$0] })
      }
      return all
    }
  }

  @Test func `colours are premultiplied, and the same size changes nothing`() throws {
    let same = try scaled(Self.files[0], width: 3, height: 2).flatMap { $0 }
    let opacity: Float = 128.0 / 255
    let white = SIMD4<Float>(repeating: 0)
    let blue = SIMD4<Float>(10, 20, 30, 1) * opacity
    let brown = SIMD4<Float>(200, 100, 50, 1)
    let expected: [SIMD4<Float>] = [white, blue, brown, brown, blue, white]
    for (pixel, wanted) in zip(same, expected) {
      let off: SIMD4<Float> = pixel - wanted
      let square: Float = (off * off).sum()
      #expect(square < 1e-6)
    }
  }

  @Test(arguments: [(1, 1), (2, 3), (31, 17), (64, 48), (130, 200)])
  func `the mean stays the same at any size`(_ width: Int, _ height: Int) throws {
    // A ramp in both directions is its own mirror image around its mean.
    var pixels: [UInt8] = []
    for row in 0..<48 as Range<UInt8> {
      for column in 0..<64 as Range<UInt8> { pixels.append(row + column) }
    }
    let file = try PNGFile.encode(
      pixels.span.bytes, as: PNGHeader(width: 64, height: 48, pixels: .grey))
    let all = try scaled(file, width: width, height: height).flatMap { $0 }
    #expect(all.count == width * height)
    let mean = all.reduce(0) { $0 + $1.x } / Float(all.count)
    #expect(abs(mean - 55) < 0.05)
    #expect(all.allSatisfy { abs($0.w - 1) < 1e-3 })
  }
}
