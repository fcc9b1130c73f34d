import Commands
import Linux
import Screen

/// The pages of a PDF, by the output of pdfinfo(1).
struct PDFLayout {
  /// The size of a page in points, before it is turned.
  struct Page {
    var width = 0.0
    var height = 0.0
    /// Whether viewers turn the page by a quarter.
    var isTurned = false

    /// The height of the picture that is `width` pixels wide.
    func height(atWidth width: Int) -> Double {
      let (across, down) = isTurned ? (height, self.width) : (self.width, height)
      return down / across * Double(width)
    }

    /// The reason why the pad cannot show the picture that is `width` pixels wide; nil: it can.
    func refusal(atWidth width: Int) -> String? {
      let height = height(atWidth: width)
      if height * Double(width) > Double(PagePicture.pixelLimit)
        || height > Double(PagePicture.sideLimit)
      {
        return "too tall: \(width) × \(Int64(min(height, 1e9))) pixels; the pad shows at most "
          + "\(PagePicture.sideLimit) rows and \(PagePicture.pixelLimit) pixels"
      }
      // As pdftoppm rounds up.
      let limit = PagePicture.heightLimit
      guard height.rounded(.up) > Double(limit * width) else { return nil }
      return "too tall: the page is more than \(limit) times as high as wide"
    }
  }

  /// The number of pages.
  let count: Int
  /// The first pages, up to the limit.
  let pages: [Page]

  /// Reads the lines "Pages: 2", "Page    1 size: 595 x 842 pts (A4)" and "Page    1 rot:  90".
  ///
  /// The last line counts: a title, which comes earlier, may contain the others. Returns nil unless there is a size
  /// for each page up to `limit`.
  ///
  /// - Parameter limit: The number of pages whose sizes were asked for.
  init?(_ output: String, limit: Int) {
    var count = 0
    var pages = [Page](repeating: Page(), count: limit)
    for line in output.utf8.split(separator: UInt8(ascii: "\n")) {
      let words = line.split(separator: UInt8(ascii: " ")).map { String(Substring($0)) }
      guard words.count > 1 else { continue }
      if words[0].isSame(as: "Pages:") {
        count = Int(words[1]) ?? 0
      } else if words[0].isSame(as: "Page"), words.count > 3, let number = Int(words[1]),
        (1...limit).contains(number)
      {
        if words[2].isSame(as: "size:"), words.count > 5 {
          pages[number - 1].width = Arguments.number(words[3]) ?? 0
          pages[number - 1].height = Arguments.number(words[5]) ?? 0
        } else if words[2].isSame(as: "rot:"), let angle = Int(words[3]) {
          pages[number - 1].isTurned = angle % 180 != 0
        }
      }
    }
    guard count > 0 else { return nil }
    let shown = pages.prefix(count)
    guard shown.allSatisfy({ $0.width > 0 && $0.height > 0 }) else { return nil }
    (self.count, self.pages) = (count, Array(shown))
  }
}
