/// The fonts of the pad, the preferred one first: what one lacks, the next one may have.
///
/// A font is opened when its first glyph is asked for, and then stays open; that reads files, so it
/// belongs on a thread that may wait for a disk.
public final class FontStack {
  private enum Slot {
    case closed(String, configured: Bool)
    case open(FontFace)
    case unusable
  }

  /// The most scripts that are reported; a hostile text must not fill the log.
  static let reportLimit = 16

  private let library: FontLibrary
  private var slots: [Slot]
  private var reported: [String] = []
  private let report: (String) -> Void

  /// - Parameters:
  ///   - fonts: Files that are tried before the well-known ones; "FILE#2" is the third face of a
  ///     collection.
  ///   - wellKnown: Whether the fonts that Debian's packages install are tried.
  ///   - report: Is given one line for each thing that is wrong with a font or missing in all of them.
  public init(
    fonts: [String], wellKnown: Bool = true, report: @escaping (String) -> Void
  ) throws(FontError) {
    library = try FontLibrary()
    self.report = report
    slots = fonts.map { .closed($0, configured: true) }
    var places: [String] = []
    if wellKnown {
      for place in FontPlaces.all where !fonts.contains(place) && !places.contains(place) {
        places.append(place)
      }
    }
    slots += places.map { .closed($0, configured: false) }
    if primary == nil {
      report(
        "config: no font can be opened: no words are shown; install fonts-dejavu-core or name one in [text] font"
      )
    }
  }

  /// Why a font file, or "FILE#2", cannot be used; nil: it can.
  public static func flaw(of font: String) -> FontError? {
    do throws(FontError) {
      _ = try FontFace(font, try FontLibrary())
      return nil
    } catch { return error }
  }

  /// How many there are, opened or not.
  var count: Int { slots.count }

  /// A font; nil where the file is missing or broken.
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

  /// The first font that can be opened: its measures are those of the line.
  var primary: Int? { slots.indices.first { face($0) != nil } }

  /// The font for a letter and the marks on it.
  ///
  /// - Parameter previous: The font of what comes before, which blanks and punctuation stay in.
  func font(for cluster: ArraySlice<UInt32>, after previous: Int?) -> Int? {
    guard let base = cluster.first else { return previous }
    if let previous, CodePoint.isShared(CodePoint.script(base)), covers(previous, cluster) {
      return previous
    }
    if let whole = slots.indices.first(where: { covers($0, cluster) }) { return whole }
    for scalar in cluster where !slots.indices.contains(where: { covers($0, [scalar]) }) {
      miss(scalar)
    }
    return slots.indices.first { covers($0, [base]) } ?? previous ?? primary
  }

  private func covers(_ index: Int, _ cluster: ArraySlice<UInt32>) -> Bool {
    guard let face = face(index) else { return false }
    return cluster.allSatisfy { CodePoint.isInvisible($0) || face.has($0) }
  }

  /// Reports the script of a code point that no font has, once. The code point itself would tell what
  /// the text says, and texts name people.
  private func miss(_ scalar: UInt32) {
    let script = CodePoint.name(of: CodePoint.script(scalar))
    guard reported.count < FontStack.reportLimit, !reported.contains(script), primary != nil else {
      return
    }
    reported.append(script)
    report(
      "config: no font has all letters of the script \(script) (ISO 15924): boxes are shown for the"
        + " missing ones; name a font that has them in [text] fallback-fonts")
  }
}
