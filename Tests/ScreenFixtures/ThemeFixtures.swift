import CLinux
import Configuration
import Ink
import Linux
import PNG
import Raster
import Screen
import Text

/// Themes for tests and for `make screens`, with generated pictures.
public enum ThemeFixtures {
  /// A logo: an icon and a word of one colour on a transparent background. Returns a PNG.
  public static func logo(_ colour: UInt32) throws -> [UInt8] {
    let fonts = try FontStack(
      fonts: ["/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"], wellKnown: false
    ) { _ in }
    let line = Typesetter(fonts: fonts).line(
      "Nordwind", TextStyle(size: 12, bold: 0.04, language: .english))
    let scale = Scale(x: 8, y: 8)
    let (width, height) = (Int((18 + line.width) * 8), 14 * 8)
    var planes = InkPlanes(width: width, height: height)
    var sign = Path()
    // Three gusts of wind.
    for (index, length) in [9, 13, 6.5].enumerated() {
      let y = Float(3 + 4 * index)
      let (from, to) = (Point(0.8, y), Point(Float(length), y - 1.2))
      // Half of the width to each side.
      let side = (to - from).normal / (to - from).length
      sign.move(to: from - side)
      for corner in [to - side, to + side, from + side] { sign.line(to: corner) }
    }
    _ = planes.addFinalised(sign, scale: scale)
    _ = planes.addFinalised(line.path, scale: scale, offset: scale.pixels(Point(16.5, 11.2)))
    let coverage = planes.coverage(of: PixelRect(width: width, height: height))
    let bytes = [16, 8, 0].map { UInt8(truncatingIfNeeded: colour >> $0) }
    return try PNGFile.encode(
      coverage.span.bytes,
      as: PNGHeader(
        width: width, height: height,
        pixels: .ink(red: bytes[0], green: bytes[1], blue: bytes[2])))
  }

  /// A landscape: a sky with a gradient over three ranges of hills. Returns a PNG.
  public static func landscape(width: Int = 480, height: Int = 300) throws -> [UInt8] {
    var pixels: [UInt8] = []
    for y in 0..<height {
      for x in 0..<width {
        let (u, v) = (Float(x) / Float(width), Float(y) / Float(height))
        var colour = mix(SIMD3(253, 250, 244), SIMD3(229, 239, 245), v * 1.6)
        for (range, tint) in [
          SIMD3<Float>(207, 223, 229), SIMD3(184, 207, 213), SIMD3(163, 190, 194),
        ].enumerated() {
          let (place, wave) = (Float(range), u * 3.1 + Float(range) * 1.7)
          // Parabolas between whole numbers.
          let phase = wave - wave.rounded(.down)
          let edge = 0.55 + 0.13 * place - 0.30 * phase * (1 - phase)
          let depth = min(max((v - edge) * Float(height), 0), 1)
          colour = mix(colour, tint, depth)
        }
        pixels += [UInt8(colour.x), UInt8(colour.y), UInt8(colour.z)]
      }
    }
    return try PNGFile.encode(
      pixels.span.bytes, as: PNGHeader(width: width, height: height, pixels: .rgb))
  }

  private static func mix(
    _ a: SIMD3<Float>, _ b: SIMD3<Float>, _ share: Float
  ) -> SIMD3<Float> {
    a + (b - a) * min(max(share, 0), 1)
  }

  /// Writes a file.
  public static func write(_ bytes: [UInt8], to path: String) throws {
    try FileDescriptor(
      opening: path, O_WRONLY | O_CREAT | O_TRUNC, mode: 0o644
    ).writeAll(bytes.span.bytes)
  }

  /// A pad's configuration in a file named "f".
  public static func configuration(_ text: String) throws -> PadConfiguration {
    try PadConfiguration(
      text, file: "f", models: StrokeModel.Kind.allCases.map { $0.rawValue })
  }

  /// Reads a picture's file.
  public static func read(_ path: String, _ limit: Int) throws(PictureReadError) -> [UInt8] {
    do throws(Errno) {
      return try FileDescriptor(opening: path, O_RDONLY).readAll(limit: limit) ?? []
    } catch { throw PictureReadError("cannot be read: \(error.text)") }
  }

  /// The section of a dark theme, with its logo in a folder.
  public static func dark(in folder: String) throws -> String {
    try write(logo(0xF1F5F7), to: folder + "/logo.png")
    return """
      [theme]
      colours = dark
      logo = \(folder)/logo.png
      buttons = right
      """
  }

  /// Sections of a theme with a picture, centred words and its own colours, with its pictures in a folder.
  public static func landscape(in folder: String) throws -> String {
    try write(logo(0x0B3B4A), to: folder + "/logo.png")
    try write(landscape(), to: folder + "/landscape.png")
    return """
      [ink]
      colour = #0b2a66
      width = 0.4 1.6
      [theme]
      picture = \(folder)/landscape.png
      ground = #fdfaf4
      words = #0b2e3a
      line = #47707d
      clear = #ffffff #0b3b4a
      done = #0b4a5c #ffffff
      pressed = #072c37 #ffffff
      faint = #dfe9ec #9fb4ba
      logo = \(folder)/logo.png
      logo-place = top
      words-place = centre
      """
  }
}
