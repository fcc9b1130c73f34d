internal import Linux

/// The open request, of which there is at most one, and the numbers of requests.
struct RequestSlot {
  /// The open request.
  private(set) var request: PadRequest?
  /// Until then a client can take over the request, which was restored after a crash; nil: it was not, or it has one.
  private(set) var orphanDeadline: Int64?
  private var lastNumber: Int64 = 0

  /// The number of the next request.
  var nextNumber: Int64 { lastNumber + 1 }

  /// Opens a request; throws if another one is open.
  mutating func open(_ request: PadRequest) throws(CallError) {
    if self.request.hasValue { throw .busy }
    lastNumber = request.number
    self.request = request
  }

  /// Opens a request again that was open when the pad crashed.
  mutating func restore(_ request: PadRequest, until deadline: Int64) {
    lastNumber = max(lastNumber, request.number)
    self.request = request
    orphanDeadline = deadline
  }

  /// Takes a restored request from its client again.
  mutating func orphan(_ number: Int64, until deadline: Int64) {
    if request?.number == number { orphanDeadline = deadline }
  }

  /// The restored request that a client with this reference and document takes over; nil: there is none.
  ///
  /// - Parameter document: The digest of the document; nil: no document.
  mutating func adopt(reference: String?, document: String?) -> PadRequest? {
    guard let request, orphanDeadline != nil, let reference, request.reference == reference,
      request.document?.digest == document
    else { return nil }
    orphanDeadline = nil
    return request
  }

  /// The restored request whose client did not come in time; returned once.
  mutating func expire(at now: Int64) -> PadRequest? {
    guard let request, let orphanDeadline, orphanDeadline <= now else { return nil }
    self.orphanDeadline = nil
    return request
  }

  /// Closes the request of this number.
  mutating func close(_ number: Int64) {
    if request?.number == number { (request, orphanDeadline) = (nil, nil) }
  }

  /// Whether the request of this number is open, and a client that disconnected meanwhile can ask for it again.
  func mayBeAskedAgain(_ number: Int64?) -> Bool {
    guard let request, request.number == number else { return false }
    return orphanDeadline != nil || request.reference != nil
  }
}
