internal import Control
internal import JSON

/// The request that is open, as the journal keeps it.
struct JournaledRequest: Equatable, Sendable {
  var request: SignRequest
  /// When its time is up, CLOCK_MONOTONIC; nil: never.
  var limit: Int64?

  static let sizeLimit = 256 << 10

  /// Later requests count on from it.
  private static let largestNumber: Int64 = 1 << 53
  /// The countdown's seconds fit 32 bits.
  private static let latestLimit = Int64(Int32.max) * 1_000_000_000

  /// JSON.
  var bytes: [UInt8] {
    var members: [(String, JSONValue)] = [
      ("number", .integer(request.number)), ("cancellable", .flag(request.cancellable)),
    ]
    let texts = [
      ("reference", request.reference), ("title", request.title), ("prompt", request.prompt),
      ("language", request.language),
    ]
    for (name, text) in texts { if let text { members.append((name, .text(text))) } }
    if let limit { members.append(("limit", .integer(limit))) }
    return JSONValue.object(members).bytes()
  }

  init(_ request: SignRequest, limit: Int64?) {
    self.request = request
    self.limit = limit
  }

  /// Nil for what no pad has written.
  init?(_ bytes: [UInt8]) {
    guard
      let value = try? JSONValue.parse(
        bytes, limits: .init(size: JournaledRequest.sizeLimit, depth: 2)),
      let number = value["number"]?.integer, (1...JournaledRequest.largestNumber).contains(number)
    else { return nil }
    let limit = value["limit"]?.integer
    if let limit, !(0...JournaledRequest.latestLimit).contains(limit) { return nil }
    self.limit = limit
    request = SignRequest(number: number)
    request.cancellable = value["cancellable"]?.flag ?? false
    request.reference = value["reference"]?.text
    request.title = value["title"]?.text
    request.prompt = value["prompt"]?.text
    request.language = value["language"]?.text
  }
}
