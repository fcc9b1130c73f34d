/// The pad's fonts in order of preference; each supplies glyphs that the previous ones lack.
///
/// A font is opened when it is first needed and stays open. Use it on a thread that may wait for the disk.
public final class FontStack {
  private enum Slot {
    case closed(String, configured: Bool)
    case open(FontFace)
    case unusable
  }

  /// The maximum number of reported scripts, so that hostile texts cannot fill the log.
  static let reportLimit = 16

  private let library: FontLibrary
  private var slots: [Slot]
  private var reported: [String] = []
  private let report: (String) -> Void

  /// - Parameters:
  ///   - fonts: The preferred files; "FILE#2" is the third face of a collection.
  ///   - wellKnown: Whether the fonts of Debian's packages follow.
  ///   - report: Is called with one line per unusable font and per script without a font.
  public init(
    fonts: [String], wellKnown: Bool = true, report: @escaping (String) -> Void
  ) throws(FontError) {
    library = try FontLibrary()
    self.report = report
    slots = fonts.map { .closed($0, configured: true) }
    var places: [String] = []
    if wellKnown {
      for place in InstalledFonts.all where !fonts.contains(place) && !places.contains(place) {
        places.append(place)
      }
    }
    slots += places.map { .closed($0, configured: false) }
    if primary == nil {
      report(
        "config: no font found; no text is shown: install fonts-dejavu-core or set [text] font"
      )
    }
  }

  /// The error of opening a font file, or "FILE#2"; nil if it can be opened.
  public static func flaw(of font: String) -> FontError? {
    do throws(FontError) {
      _ = try FontFace(font, try FontLibrary())
      return nil
    } catch { return error }
  }

  /// The number of fonts, open or not.
  var count: Int { slots.count }

  /// The font at an index; nil if its file is missing or invalid.
  func face(_ index: Int) -> FontFace? {
    switch slots[index] {
    case .open(let face): return face
    case .unusable: return nil
    case .closed(let place, let configured):
      do throws(FontError) {
        let face = try FontFace(place, library)
        slots[index] = .open(face)
        return face
      } catch {
        slots[index] = .unusable
        if configured { report("config: \(error.text)") }
        return nil
      }
    }
  }

  /// The first usable font, whose metrics apply to lines.
  var primary: Int? { slots.indices.first { face($0) != nil } }

  /// The hyphen of the first usable font: U+2010, else the one of ASCII.
  var hyphen: UInt32 {
    let face = primary.flatMap { self.face($0) }
    return face?.has(0x2010) == true ? 0x2010 : UInt32(UInt8(ascii: "-"))
  }

  /// The font for a letter with its marks.
  ///
  /// - Parameter previous: The font of the previous cluster, which spaces and punctuation keep.
  func font(for cluster: ArraySlice<UInt32>, after previous: Int?) -> Int? {
    guard let base = cluster.first else { return previous }
    if let previous, CodePoint.isShared(CodePoint.script(base)), covers(previous, cluster) {
      return previous
    }
    if let whole = slots.indices.first(where: { covers($0, cluster) }) { return whole }
    for scalar in cluster where !slots.indices.contains(where: { covers($0, [scalar]) }) {
      reportMissing(scalar)
    }
    return slots.indices.first { covers($0, [base]) } ?? previous ?? primary
  }

  private func covers(_ index: Int, _ cluster: ArraySlice<UInt32>) -> Bool {
    guard let face = face(index) else { return false }
    return cluster.allSatisfy { CodePoint.isInvisible($0) || face.has($0) }
  }

  /// Reports the script of a code point without a glyph once.
  ///
  /// Does not report the code point itself, since texts hold personal data.
  private func reportMissing(_ scalar: UInt32) {
    let script = CodePoint.name(of: CodePoint.script(scalar))
    guard reported.count < FontStack.reportLimit, !reported.contains(script), primary != nil else {
      return
    }
    reported.append(script)
    report(
      "config: no font has all letters of the script \(script) (ISO 15924); boxes are shown:"
        + " add a font to [text] fallback-fonts")
  }
}

/// Consecutive code points that are shown in one font.
struct FontRun: Equatable {
  var range: Range<Int>
  let font: Int

  /// Splits a line into runs; empty without any font.
  static func runs(of scalars: ArraySlice<UInt32>, _ fonts: FontStack) -> [FontRun] {
    var runs: [FontRun] = []
    var start = scalars.startIndex
    while start < scalars.endIndex {
      var end = start + 1
      while end < scalars.endIndex, CodePoint.isAttached(scalars[end]) { end += 1 }
      guard let font = fonts.font(for: scalars[start..<end], after: runs.last?.font) else {
        return []
      }
      if let last = runs.indices.last, runs[last].font == font {
        runs[last].range = runs[last].range.lowerBound..<end
      } else {
        runs.append(FontRun(range: start..<end, font: font))
      }
      start = end
    }
    return runs
  }
}

/// The files of Debian's font packages, in order of preference.
private enum InstalledFonts {
  /// The files of all scripts.
  static var all: [String] { latin + arabic + cjk + other + noto }

  private static let shared = "/usr/share/fonts/"

  /// Latin, Greek and Cyrillic.
  static var latin: [String] {
    [
      "truetype/noto/NotoSans-Regular.ttf", "truetype/dejavu/DejaVuSans.ttf",
      "truetype/liberation/LiberationSans-Regular.ttf", "truetype/freefont/FreeSans.ttf",
    ].map { shared + $0 }
  }

  /// Arabic script.
  static var arabic: [String] {
    [
      "truetype/noto/NotoSansArabic-Regular.ttf", "truetype/noto/NotoNaskhArabic-Regular.ttf",
      "opentype/fonts-hosny-amiri/Amiri-Regular.ttf", "truetype/kacst-one/KacstOne.ttf",
      "truetype/dejavu/DejaVuSans.ttf",
    ].map { shared + $0 }
  }

  /// Hebrew, and other scripts of a large font.
  static var other: [String] {
    [
      "truetype/noto/NotoSansHebrew-Regular.ttf", "truetype/dejavu/DejaVuSans.ttf",
    ].map { shared + $0 }
  }

  /// Chinese, Japanese, Korean.
  static var cjk: [String] {
    [
      "opentype/noto/NotoSansCJK-Regular.ttc", "opentype/ipafont-gothic/ipag.ttf",
      "truetype/droid/DroidSansFallbackFull.ttf", "truetype/wqy/wqy-microhei.ttc",
      "truetype/wqy/wqy-zenhei.ttc",
    ].map { shared + $0 }
  }

  /// Thai, Devanagari and other scripts of fonts-noto-core.
  static var noto: [String] {
    ["Thai", "Devanagari", "Bengali", "Tamil", "Georgian", "Armenian", "Ethiopic", "Symbols"].map {
      "\(shared)truetype/noto/NotoSans\($0)-Regular.ttf"
    }
  }
}
