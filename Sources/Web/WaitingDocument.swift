/// A document that waits for its request.
struct WaitingDocument {
  /// A page that a client uploads.
  struct Upload {
    let client: Int
    let page: Int
    let isText: Bool
    /// The bytes of the page that the pad has.
    var offset = 0
    /// The part that waits for the pad, or that it is about to answer.
    var part: [UInt8]?
    var isLast = false
  }

  /// A part that the pad is about to answer.
  struct Pending {
    /// It may have gone.
    let client: Int
    /// When the pad must have answered.
    let end: Int64
  }

  let owner: Owner
  let id: String
  /// The number of its connection.
  let connection: Int
  var uploads: [Upload] = []
  /// Whether a part was sent: the pad has nothing of others.
  var isSent = false
  /// The part that the pad is about to answer; nil: none.
  var pending: Pending?
  var lastUse: Int64
  /// When it is discarded, unless a page is being uploaded.
  var end: Int64

  /// When it is discarded; nil: not before the next part or the end of an upload.
  var deadline: Int64? {
    let unused = uploads.isEmpty ? end : nil
    return [unused, pending?.end].compactMap { $0 }.min()
  }
}
