internal import Configuration
internal import Ink

/// Words, countdown, logo and the line to sign on, within where one can sign.
///
/// A logo in an upper corner has the words beside it where they have room for 16 ems, else below it;
/// the countdown then stands beside it. A logo at the bottom pushes the line up.
struct LayoutWords {
  /// What words and countdown need beside a logo, in ems.
  private static let besideLogo: Float = 16
  /// What words need beside the countdown, in ems.
  private static let narrowest: Float = 10
  /// From the lowest words to the line: the × reaches up to 3.7 mm above it.
  private static let aboveLine: Float = 6.5

  let header: Area, countdown: Area
  let logo: Area?
  /// How far down the line is.
  let line: Float

  /// - Parameter messageOverhang: How far a message may reach beyond where one can sign.
  init(
    _ signing: Area, _ parts: LayoutParts, _ places: LayoutPlaces, inset: Float, textSize: Float,
    messageOverhang: Float
  ) {
    let frame = Area(
      x: signing.origin.x + inset, y: signing.origin.y + inset,
      width: signing.size.x - 2 * inset, height: signing.size.y - 2 * inset)
    let logo = places.logo.map { LayoutWords.place($0, in: frame) }
    let isAtBottom = places.logo?.place.isAtBottom ?? false
    self.logo = logo
    let usual = signing.origin.y + signing.size.y * 0.78
    let lowest = logo.map { isAtBottom ? $0.origin.y - inset / 2 - 1.5 : usual } ?? usual
    line = places.lineHeight.map { signing.end.y - $0 } ?? min(usual, lowest)

    let time = parts.countdown ? Point(7.5 * textSize, 2.4 * textSize) : .zero
    let rows = LayoutWords.rows(
      in: frame, beside: isAtBottom ? nil : logo, isInMiddle: places.logo?.place == .top,
      time: time, rightToLeft: parts.rightToLeft, textSize: textSize)
    // Beside the words, the countdown takes from their width.
    var words = rows.words
    if rows.time.origin.y == words.origin.y { words.size.x -= time.x }
    let end: Float
    if parts.message != .signature {
      end = isAtBottom ? line : frame.end.y + messageOverhang
    } else {
      let half = frame.origin.y + signing.size.y * 0.5
      let far = words.origin.y > frame.origin.y ? frame.end.y : half
      end = min(far, line - LayoutWords.aboveLine)
    }
    words.size.y = end - words.origin.y
    let left = Area(
      x: rows.time.end.x - time.x, y: rows.time.origin.y, width: time.x, height: time.y)
    header = parts.rightToLeft ? words.mirrored(in: rows.words) : words
    countdown = parts.rightToLeft ? left.mirrored(in: rows.time) : left
  }

  /// Where words and countdown may be: both beside the logo, or the words below it and the countdown
  /// beside it, or both below it.
  private static func rows(
    in frame: Area, beside logo: Area?, isInMiddle: Bool, time: Point, rightToLeft: Bool,
    textSize: Float
  ) -> (words: Area, time: Area) {
    guard let logo else { return split(frame, time, textSize) }
    let rest = rest(of: frame, beside: logo, isOnRight: rightToLeft, gap: 1.5 * textSize)
    if !isInMiddle, rest.size.x - time.x >= besideLogo * textSize { return (rest, rest) }
    let belowLogo = frame.from(logo.end.y + 1.2 * textSize)
    guard time.x > 0, rest.size.x >= time.x else { return split(belowLogo, time, textSize) }
    let belowTime = frame.origin.y + time.y + 1.3 * textSize
    return (frame.from(max(belowLogo.origin.y, belowTime)), rest)
  }

  /// Words and countdown in one row, or, where that would be too narrow for words, the words below.
  private static func split(
    _ area: Area, _ time: Point, _ textSize: Float
  ) -> (words: Area, time: Area) {
    if time.x == 0 || area.size.x - time.x >= narrowest * textSize { return (area, area) }
    return (area.from(area.origin.y + time.y + 1.3 * textSize), area)
  }

  private static func place(_ logo: LayoutPlaces.Logo, in frame: Area) -> Area {
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

  /// What a logo at the top leaves of its row: of one in the middle, where lines end.
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
  /// What of it is below a height.
  fileprivate func from(_ y: Float) -> Area {
    Area(x: origin.x, y: y, width: size.x, height: end.y - y)
  }
}

extension ThemeConfiguration.LogoPlace {
  /// Whether it is below the line to sign on.
  var isAtBottom: Bool {
    switch self {
    case .topLeft, .top, .topRight: false
    case .bottomLeft, .bottom, .bottomRight: true
    }
  }
}
