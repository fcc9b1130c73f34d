internal import Control
internal import Nettle
internal import PNG
internal import Screen

/// A page that a client uploads, without its bytes.
final class UploadedPage {
  let number: Int
  let isText: Bool
  /// The bytes that have arrived.
  private(set) var size = 0
  /// Of a picture that is complete.
  private(set) var finished: DocumentUpload.Page?
  /// Of a picture that is incomplete.
  private var decoder: PNGCheck?
  private var digest = SHA256.Stream()
  /// The SHA-256 of what has arrived.
  var sha256: String { digest.text }

  private static let limits = PNGCheck.Limits(
    pixels: PagePicture.pixelLimit, interlaced: PagePicture.interlacedLimit,
    side: PagePicture.sideLimit)

  /// A page without bytes.
  init(_ number: Int, isText: Bool) throws(DocumentProblem) {
    self.number = number
    self.isText = isText
    guard !isText else { return }
    do throws(PNGError) {
      decoder = try PNGCheck(UploadedPage.limits)
    } catch { throw DocumentProblem(page: number, error.text) }
  }

  /// Whether it is a picture of which more must arrive. Its decoder takes up to 300 kB.
  var isDecoding: Bool { decoder != nil }

  /// Checks the next part. After a failure the page is of no use.
  func check(_ part: [UInt8]) throws(DocumentProblem) {
    if isText { return try DocumentText.check(part, after: size) }
    do throws(PNGError) {
      if finished != nil { throw .damaged("there is data behind the end") }
      try decoder?.add(part.span)
    } catch { throw DocumentProblem(page: number, error.text) }
    let limit = PagePicture.heightLimit
    guard let size = decoder?.size, size.height > limit * size.width else { return }
    throw DocumentProblem(page: number, "the page is more than \(limit) times as high as wide")
  }

  /// Counts a part that has passed and is kept. A picture that is complete releases its decoder.
  func add(_ part: [UInt8]) {
    size += part.count
    digest.add(part)
    guard decoder?.isComplete == true, let pixels = decoder?.size else { return }
    finished = DocumentUpload.Page(
      digest: digest.text, width: pixels.width, height: pixels.height)
    decoder = nil
  }
}
