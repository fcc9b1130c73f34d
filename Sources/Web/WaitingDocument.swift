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

  let owner: DocumentUploads.Owner
  let id: String
  /// The number of its connection.
  let connection: Int
  var uploads: [Upload] = []
  /// Whether a part was sent: the pad has nothing of others.
  var isSent = false
  /// The client whose part the pad is about to answer. It may have gone.
  var sender: Int?
  /// When the pad must have answered that part.
  var answerEnd: Int64 = 0
  var lastUse: Int64
  /// When it is discarded, unless a page is being uploaded.
  var end: Int64

  /// When it is discarded; nil: not before the next part or the end of an upload.
  var deadline: Int64? {
    let unused = uploads.isEmpty ? end : nil
    let unanswered = sender == nil ? nil : answerEnd
    return [unused, unanswered].compactMap { $0 }.min()
  }
}
