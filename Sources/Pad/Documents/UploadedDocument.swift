internal import Control

/// A document that a client uploads.
final class UploadedDocument {
  let client: Int
  let id: String
  /// The number of its folder.
  let folder: Int
  /// When it is discarded.
  var expiry: Int64
  private var pages: [UploadedPage] = []

  /// The document of a part.
  init(_ part: PagePart, folder: Int, expiry: Int64) {
    (client, id) = (part.client, part.document)
    (self.folder, self.expiry) = (folder, expiry)
  }

  /// The bytes of all pages.
  var size: Int { pages.reduce(0) { $0 + $1.size } }

  /// The number of pictures that have begun and not arrived.
  var decoding: Int { pages.count { $0.isDecoding } }

  /// A page that has begun.
  func page(_ number: Int) -> UploadedPage? { pages.first { $0.number == number } }

  /// Removes a page.
  func remove(_ number: Int) { pages.removeAll { $0.number == number } }

  /// Begins a page, in place of the one before.
  func begin(_ number: Int, firstByte: UInt8) throws(DocumentProblem) {
    remove(number)
    // The first byte of a PNG is not UTF-8.
    let isText = firstByte != 0x89
    if isText && (number != 1 || !pages.isEmpty) {
      throw DocumentProblem(page: number, "not a PNG")
    }
    if pages.contains(where: { $0.isText }) {
      throw DocumentProblem(page: number, "the document is a text, which has one page")
    }
    pages.append(try UploadedPage(number, isText: isText))
  }

  /// The pictures in order; nil: a text. Throws for the first page that is missing, incomplete or too many.
  func finished(count: Int) throws(DocumentProblem) -> [DocumentUpload.Page]? {
    if let extra = pages.map({ $0.number }).filter({ $0 > count }).min() {
      throw DocumentProblem(page: extra, "the document has fewer pages")
    }
    var pictures: [DocumentUpload.Page] = []
    for number in 1...max(1, count) {
      guard let page = page(number) else { throw DocumentProblem.missing(number) }
      if page.isText && count == 1 { return nil }
      if page.isText { continue }
      guard let picture = page.finished else {
        throw DocumentProblem(page: number, "the page is incomplete")
      }
      pictures.append(picture)
    }
    return pictures
  }
}
