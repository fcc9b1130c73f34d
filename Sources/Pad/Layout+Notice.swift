internal import Ink

/// Pictures that say one thing: a sign on a disc, and words below it.
extension Layout {
  /// Where the disc is; in the middle if there are no words.
  func disc(withWords: Bool) -> Area {
    let least = min(glass.size.x, glass.size.y)
    let size = least * (withWords ? 0.4 : 0.6)
    let middle = glass.size.y * (withWords ? 0.36 : 0.5)
    return Area(
      x: glass.centre.x - size / 2, y: middle - size / 2, width: size, height: size)
  }

  /// Where the words below it are.
  var noticeWords: Area {
    let top = disc(withWords: true).end.y + 1.4 * textSize
    let inset = 1.5 * textSize
    return Area(
      x: inset, y: top, width: glass.size.x - 2 * inset, height: glass.size.y - top - inset)
  }
}
