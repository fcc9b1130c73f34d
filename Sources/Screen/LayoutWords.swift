internal import Configuration
internal import Ink

/// Places words, countdown, logo and the line to sign on within the signing area.
///
/// The words are beside a logo in an upper corner if at least 16 ems remain, else below it; then the
/// countdown is beside it. A logo at the bottom moves the line up.
struct LayoutWords {
  /// The minimum width of words beside a logo, in ems.
  private static let besideLogo: Float = 16
  /// The minimum width of words beside the countdown, in ems.
  private static let narrowest: Float = 10
  /// Distance from the words to the line, in millimetres: the × reaches 3.7 mm above the line.
  private static let aboveLine: Float = 6.5
  /// On a high panel, the words may reach down to this distance from the line, in millimetres: most signatures are
  /// lower.
  private static let signatureHeight: Float = 28

  let header: Area, countdown: Area
  let logo: Area?
  /// The y coordinate of the line.
  let line: Float

  /// - Parameter messageOverhang: How far a message may extend below the signing area, in millimetres.
  init(
    _ signing: Area, _ parts: LayoutParts, _ options: LayoutOptions, inset: Float, textSize: Float,
    messageOverhang: Float
  ) {
    let frame = Area(
      x: signing.origin.x + inset, y: signing.origin.y + inset,
      width: signing.size.x - 2 * inset, height: signing.size.y - 2 * inset)
    let logo = options.logo.map { LayoutWords.place($0, in: frame) }
    let isAtBottom = options.logo?.place.isAtBottom ?? false
    self.logo = logo
    let usual = signing.origin.y + signing.size.y * 0.78
    let lowest = logo.map { isAtBottom ? $0.origin.y - inset / 2 - 1.5 : usual } ?? usual
    line = options.lineHeight.map { signing.end.y - $0 } ?? min(usual, lowest)

    let time = parts.countdown ? Point(7.5 * textSize, 2.4 * textSize) : .zero
    let rows = LayoutWords.rows(
      in: frame, beside: isAtBottom ? nil : logo, isInMiddle: options.logo?.place == .top,
      time: time, isCentred: parts.choices != nil, rightToLeft: parts.rightToLeft,
      textSize: textSize)
    // A countdown in the same row reduces their width.
    var words = rows.words
    if rows.time.origin.y == words.origin.y { words.size.x -= time.x }
    let end: Float
    if parts.message != .signature {
      end = isAtBottom ? line : frame.end.y + messageOverhang
    } else {
      let half = max(
        frame.origin.y + signing.size.y * 0.5, line - LayoutWords.signatureHeight)
      let far = words.origin.y > frame.origin.y ? frame.end.y : half
      end = min(far, line - LayoutWords.aboveLine)
    }
    words.size.y = end - words.origin.y
    let left = Area(
      x: rows.time.end.x - time.x, y: rows.time.origin.y, width: time.x, height: time.y)
    header = parts.rightToLeft ? words.mirrored(in: rows.words) : words
    countdown = parts.rightToLeft ? left.mirrored(in: rows.time) : left
  }

  /// Rows for words and countdown: both beside the logo, the words below it and the countdown beside it,
  /// or both below it. Words that are centred on the glass have a row of their own.
  private static func rows(
    in frame: Area, beside logo: Area?, isInMiddle: Bool, time: Point, isCentred: Bool,
    rightToLeft: Bool, textSize: Float
  ) -> (words: Area, time: Area) {
    let narrowest = isCentred ? .infinity : LayoutWords.narrowest
    guard let logo else { return split(frame, time, textSize, narrowest: narrowest) }
    let rest = rest(of: frame, beside: logo, isOnRight: rightToLeft, gap: 1.5 * textSize)
    if !isInMiddle, !isCentred, rest.size.x - time.x >= besideLogo * textSize {
      return (rest, rest)
    }
    let belowLogo = frame.from(logo.end.y + 1.2 * textSize)
    guard time.x > 0, rest.size.x >= time.x else {
      return split(belowLogo, time, textSize, narrowest: narrowest)
    }
    let belowTime = frame.origin.y + time.y + 1.3 * textSize
    return (frame.from(max(belowLogo.origin.y, belowTime)), rest)
  }

  /// Words and countdown in one row; if that is too narrow, the words below the countdown.
  private static func split(
    _ area: Area, _ time: Point, _ textSize: Float, narrowest: Float
  ) -> (words: Area, time: Area) {
    if time.x == 0 || area.size.x - time.x >= narrowest * textSize { return (area, area) }
    return (area.from(area.origin.y + time.y + 1.3 * textSize), area)
  }

  private static func place(_ logo: LayoutOptions.Logo, in frame: Area) -> Area {
    let (width, height) = (logo.size.x, logo.size.y)
    let x: Float =
      switch logo.place {
      case .topLeft, .bottomLeft: frame.origin.x
      case .top, .bottom: frame.centre.x - width / 2
      case .topRight, .bottomRight: frame.end.x - width
      }
    let y = logo.place.isAtBottom ? frame.end.y - height : frame.origin.y
    return Area(x: x, y: y, width: width, height: height)
  }

  /// The wider side of the row beside a logo at the top; beside one in the middle, the end of lines.
  private static func rest(
    of frame: Area, beside logo: Area, isOnRight: Bool, gap: Float
  ) -> Area {
    let (left, right) = (logo.origin.x - frame.origin.x, frame.end.x - logo.end.x)
    let takesLeft = abs(left - right) < 0.01 ? isOnRight : left > right
    return takesLeft
      ? Area(x: frame.origin.x, y: frame.origin.y, width: left - gap, height: frame.size.y)
      : Area(x: logo.end.x + gap, y: frame.origin.y, width: right - gap, height: frame.size.y)
  }
}

extension Area {
  /// The part below a y coordinate.
  fileprivate func from(_ y: Float) -> Area {
    Area(x: origin.x, y: y, width: size.x, height: end.y - y)
  }
}

extension ThemeConfiguration.LogoPlace {
  /// Whether the logo is below the line to sign on.
  fileprivate var isAtBottom: Bool {
    switch self {
    case .topLeft, .top, .topRight: false
    case .bottomLeft, .bottom, .bottomRight: true
    }
  }
}
