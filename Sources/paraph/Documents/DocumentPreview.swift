import Control
import Linux
import Pad

/// A document as `paraph preview` draws it.
enum DocumentPreview {
  /// Reads a document for a preview of one of its pages.
  ///
  /// - Parameters:
  ///   - page: The page to draw, from 0. Of a PDF, only this one is rendered.
  ///   - width: The width of the panel in pixels.
  static func document(
    _ path: String, page: Int, width: Int
  ) throws(ToolError) -> PadPreview.Document {
    let file = try DocumentFile(path)
    switch file.format {
    case .png: return .pictures([file.bytes])
    case .text:
      do throws(CleanText.Flaw) {
        return .text(String(decoding: try CleanText(file.bytes).bytes, as: UTF8.self))
      } catch { throw ToolError(.data, "\(path): line \(error.line): \(error.reason)") }
    case .pdf:
      do throws(Poppler.Failure) {
        return .pictures(try pages(file, page: page, width: width))
      } catch { throw error.error(path, page: page + 1) }
    }
  }

  /// As many pictures as there are pages; all are the one to draw.
  private static func pages(
    _ file: DocumentFile, page: Int, width: Int
  ) throws(Poppler.Failure) -> [[UInt8]] {
    let poppler: Poppler
    do throws(Errno) { poppler = try Poppler(file.bytes) } catch { throw .system(error) }
    let layout = try poppler.layout(limit: page + 1, deadline: deadline)
    guard layout.pages.indices.contains(page) else {
      throw .refused("the PDF has \(layout.count) pages")
    }
    let size = layout.pages[page]
    if let reason = size.refusal(atWidth: width) { throw .refused(reason) }
    let picture = try poppler.page(
      page + 1, size, width: width, limit: RequestDocument.sizeLimit, deadline: deadline)
    return [[UInt8]](repeating: picture.bytes, count: layout.count)
  }

  private static var deadline: Int64 { MonotonicClock.now + Poppler.pageTime }
}
