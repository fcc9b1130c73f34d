import Client
import Control
import JSON
import Linux
import Nettle
import Screen
import Spool

/// A document on its way to the pad: its pages are made one at a time and uploaded by PutPage.
struct DocumentUpload {
  private let file: DocumentFile
  private let name: String
  private let isEarly: Bool
  private let deadline: Int64?

  /// The pad's id of this connection's only document.
  private static let id = "document"

  /// - Parameters:
  ///   - name: The document's name in the manifest; nil: the file's name.
  ///   - isEarly: Whether the person may sign before the last page was shown.
  ///   - deadline: The time limit of the request, in nanoseconds of the monotonic clock; nil: none.
  init(_ file: DocumentFile, name: String?, isEarly: Bool, deadline: Int64?) throws(ToolError) {
    let name = name ?? file.name
    let flaw: String? =
      if BlankText.isBlank(name) {
        "is blank"
      } else if name.utf8.count > ShownDocument.nameLimit {
        "has more than \(ShownDocument.nameLimit) bytes"
      } else if !name.isPrintable {
        "has a control character"
      } else { nil }
    if let flaw {
      throw ToolError(
        .usage, "\(file.path): the document's name \(flaw); set another one by --document-name")
    }
    (self.file, self.name, self.isEarly, self.deadline) = (file, name, isEarly, deadline)
  }

  /// Uploads all pages. Returns the parameter `document` of Sign.
  func upload(to connection: inout PadConnection) throws(CallError) -> JSONValue {
    let count: Int
    switch file.format {
    case .png:
      try put(file.bytes, 1, &connection)
      count = 1
    case .text:
      let text: CleanText
      do throws(CleanText.Flaw) { text = try CleanText(file.bytes) } catch {
        throw .failure(ToolError(.data, "\(file.path): line \(error.line): \(error.reason)"))
      }
      try put(text.bytes, 1, &connection)
      count = 1
    case .pdf: count = try uploadPDF(&connection)
    }
    return description(pages: count)
  }

  /// The parameter `document` of Sign.
  func description(pages: Int) -> JSONValue {
    .object([
      ("id", .text(DocumentUpload.id)), ("name", .text(name)), ("digest", .text(file.digest)),
      ("pages", .integer(pages)), ("early", .flag(isEarly)),
    ])
  }

  /// Renders and uploads one page after the other. Returns their number.
  private func uploadPDF(_ connection: inout PadConnection) throws(CallError) -> Int {
    let poppler = try poppler()
    let layout: PDFLayout
    do throws(Poppler.Failure) {
      layout = try poppler.layout(limit: RequestDocument.pageLimit, deadline: pageDeadline)
    } catch { throw failure(error, nil) }
    let limit = RequestDocument.pageLimit
    if layout.count > limit {
      throw flaw(limit + 1, "the PDF has \(layout.count) pages; the pad shows at most \(limit)")
    }
    let width = try panelWidth(&connection)
    // Before the first is rendered: a thin page would take all memory.
    for (number, page) in layout.pages.enumerated() {
      if let reason = page.refusal(atWidth: width) { throw flaw(number + 1, reason) }
    }
    for (index, page) in layout.pages.enumerated() {
      let number = index + 1
      let output: Poppler.Output
      do throws(Poppler.Failure) {
        output = try poppler.page(
          number, page, width: width, limit: RequestDocument.sizeLimit, deadline: pageDeadline)
      } catch { throw failure(error, number) }
      if !output.message.isEmpty { Notice.write("\(file.path): page \(number): \(output.message)") }
      try put(output.bytes, number, &connection)
    }
    return layout.count
  }

  private func poppler() throws(CallError) -> Poppler {
    do throws(Errno) { return try Poppler(file.bytes) } catch { throw failure(.system(error), nil) }
  }

  /// The width of the pad's panel in pixels.
  private func panelWidth(_ connection: inout PadConnection) throws(CallError) -> Int {
    let info = try connection.call("GetInfo", [], deadline: deadline)
    guard let panel = info["panel"], let width = panel["width"]?.integer, width > 0 else {
      throw .failure(ToolError(.outOfService, "the pad is out of service: there is no panel"))
    }
    return Int(min(width, Int64(PagePicture.sideLimit)))
  }

  /// Uploads a page in parts.
  private func put(
    _ page: [UInt8], _ number: Int, _ connection: inout PadConnection
  ) throws(CallError) {
    var offset = 0
    repeat {
      let part = page[offset...].prefix(PagePart.sizeLimit)
      _ = try connection.call(
        "PutPage",
        [
          ("document", .text(DocumentUpload.id)), ("number", .integer(number)),
          ("offset", .integer(offset)),
          ("data", .text(String(decoding: Base64.letters(of: Array(part)), as: UTF8.self))),
        ], deadline: deadline)
      offset += part.count
    } while offset < page.count
  }

  /// When the page that is rendered now must be there.
  private var pageDeadline: Int64 {
    min(deadline ?? .max, MonotonicClock.now + Poppler.pageTime)
  }

  private func flaw(_ page: Int, _ reason: String) -> CallError {
    .failure(ToolError(.data, "\(file.path): page \(page): \(reason)"))
  }

  private func failure(_ failure: Poppler.Failure, _ page: Int?) -> CallError {
    if case .late = failure, let deadline, deadline <= MonotonicClock.now {
      return .failure(.noSignatureInTime)
    }
    return .failure(failure.error(file.path, page: page))
  }
}
