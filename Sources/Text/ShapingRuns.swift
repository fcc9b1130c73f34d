internal import CLibharfbuzz

/// Counts the runs of a paragraph: its parts of one font, script and direction.
///
/// libraqm opens the font anew for each run. That takes as long as hundreds of letters.
enum ShapingRuns {
  /// The number of runs, or more: letters are counted exactly, but each sign that may have another direction than the letters
  /// around it counts as a run.
  static func most(
    in scalars: ArraySlice<UInt32>, _ language: Language, _ fonts: FontStack
  ) -> Int {
    let fontStarts = FontRun.runs(of: scalars, fonts).map { $0.range.lowerBound }
    let isMixed =
      TextDirection(of: scalars, language) == .rightToLeft
      || scalars.contains { CodePoint.isRightToLeft($0) || CodePoint.isDirectional($0) }
    var changes = Changes(isMixed: isMixed)
    var (count, next) = (0, 0)
    for index in scalars.indices {
      var change = changes.add(scalars[index])
      if next < fontStarts.count, fontStarts[next] == index {
        next += 1
        change = max(change, 1)
      }
      count += change
    }
    return fontStarts.isEmpty ? 0 : count + changes.ofBrackets
  }

  /// The changes of script and direction up to a code point.
  private struct Changes {
    /// Whether the paragraph may have two directions.
    let isMixed: Bool
    private var script: hb_script_t?
    private var scripts = 0
    /// The script of the digit before; nil: it is none.
    private var digits: hb_script_t?
    private var closingBrackets = 0

    init(isMixed: Bool) { self.isMixed = isMixed }

    /// A closing bracket takes the script of the opening one, and the letter behind it another one again.
    var ofBrackets: Int { isMixed || scripts < 2 ? 0 : 2 * closingBrackets }

    /// The changes at the next code point.
    mutating func add(_ scalar: UInt32) -> Int {
      let script = CodePoint.script(scalar)
      // Marks are in the run of their letter.
      if script == HB_SCRIPT_INHERITED { return 0 }
      let category = unsafe hb_unicode_general_category(hb_unicode_funcs_get_default(), scalar)
      let isDigit = category == HB_UNICODE_GENERAL_CATEGORY_DECIMAL_NUMBER
      let isNext = isDigit && digits == script
      digits = isDigit ? script : nil
      let isCommon = script == HB_SCRIPT_COMMON
      var changes = 0
      if !isCommon, self.script != script {
        self.script = script
        scripts += 1
        // The spaces before it can be a run of their own: the last letter's script, the other direction.
        changes = isMixed ? 2 : 1
      }
      guard isMixed else {
        if category == HB_UNICODE_GENERAL_CATEGORY_CLOSE_PUNCTUATION
          || category == HB_UNICODE_GENERAL_CATEGORY_FINAL_PUNCTUATION
          || scalar == UInt32(UInt8(ascii: ">"))
        {
          closingBrackets += 1
        }
        return changes
      }
      let isSign =
        isCommon
        ? !Changes.isNeutral(scalar)
        : isDigit || category == HB_UNICODE_GENERAL_CATEGORY_FORMAT
      // The sign begins a run, and what follows begins another one.
      return isSign && !isNext ? changes + 2 : changes
    }

    /// Whether a shared code point always has the direction of one beside it: spaces and common punctuation but brackets.
    private static func isNeutral(_ scalar: UInt32) -> Bool {
      switch scalar {
      case 0x21...0x27, 0x2A...0x2F, 0x3A, 0x3B, 0x3D, 0x3F, 0x40, 0x5C, 0x5E...0x60, 0x7C, 0x7E,
        0xA0, 0x060C, 0x061B, 0x061F, 0x2010...0x2017, 0x2020...0x2027, 0x3001, 0x3002:
        true
      default:
        CodePoint.isSpace(scalar)
          || CodePoint.isInvisible(scalar) && !CodePoint.isDirectional(scalar)
      }
    }
  }
}
