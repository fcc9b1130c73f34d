internal import Ink
public import Raster

/// Paints the visible part of a page that is a picture.
///
/// Scrolling moves what is painted, and paints only the rows that appear.
struct PageArea {
  private let area: PixelRect
  /// The heights of the pages and of the area, in millimetres.
  private let heights: [Float]
  private let height: Float

  init(_ reading: Reading, _ scale: Scale, on canvas: borrowing Canvas) {
    area = reading.pixels(scale, width: canvas.width, height: canvas.height)
    heights = reading.pages.map { $0.height }
    height = reading.area.size.y
  }

  /// Paints a page; of a text, only its ground.
  ///
  /// - Parameter last: The part of the same page that is painted already; nil: another page is.
  func show(
    _ now: ViewState.Reading, after last: ViewState.Reading?, _ sheet: Sheet?,
    on canvas: inout Canvas
  ) -> PixelRect {
    guard let last else {
      _ = canvas.clearGround(area)
      canvas.hidePage()
      if case .picture(let picture) = sheet { begin(picture, pixels(now, sheet), on: &canvas) }
      return area
    }
    let offset = pixels(now, sheet)
    let step = offset - pixels(last, sheet)
    guard step != 0, case .picture(let picture) = sheet else { return .empty }
    canvas.scrollPage(by: step)
    let appearing =
      step > 0
      ? max(rows.lowerBound, rows.upperBound - step)..<rows.upperBound
      : rows.lowerBound..<min(rows.upperBound, rows.lowerBound - step)
    paint(picture, offset, in: appearing, on: &canvas)
    return area
  }

  /// Shows another page. One that is lower than the area is in the middle, on the ground.
  private func begin(_ picture: PagePicture, _ offset: Int, on canvas: inout Canvas) {
    guard picture.width == area.width else { return }
    var covered = area
    covered.y0 += Int32(clamping: max(0, (rows.count - picture.height) / 2))
    covered.y1 = min(area.y1, covered.y0 + Int32(clamping: picture.height))
    canvas.showPage(in: covered, isGrey: picture.isGrey)
    paint(picture, offset, in: rows, on: &canvas)
  }

  private var rows: Range<Int> { Int(area.y0)..<Int(area.y1) }

  /// The rows that are scrolled out above. At the end of the page, its last row is the last of the area.
  private func pixels(_ now: ViewState.Reading, _ sheet: Sheet?) -> Int {
    guard case .picture(let picture) = sheet, heights.indices.contains(now.page) else { return 0 }
    let reach = heights[now.page] - height
    let rows = Float(picture.height - rows.count)
    return reach > 0 && rows > 0 ? Int((now.offset / reach * rows).rounded()) : 0
  }

  /// Paints the rows of a page that lie in these rows of the canvas.
  private func paint(
    _ picture: PagePicture, _ offset: Int, in visible: Range<Int>, on canvas: inout Canvas
  ) {
    guard picture.width == area.width else { return }
    // A page that is lower than its area is in the middle.
    let top = rows.lowerBound + max(0, (rows.count - picture.height) / 2) - offset
    picture.forEachRow(in: (visible.lowerBound - top)..<(visible.upperBound - top)) {
      canvas.paintPage($1, y: top + $0)
    }
  }
}

extension Reading {
  /// The area of the pages on a panel, in pixels.
  public func pixels(_ scale: Scale, width: Int, height: Int) -> PixelRect {
    PixelRect(around: area, scale: scale).intersection(PixelRect(width: width, height: height))
  }
}
