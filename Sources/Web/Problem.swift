internal import JSON

/// Why a request fails: problem details (RFC 9457).
struct Problem: Error, Equatable {
  /// The last part of the Varlink error's name, or a name of this program.
  let name: String
  /// The status code.
  let status: Int
  /// A sentence for people.
  let detail: String
  /// The parameters of the Varlink error, as members in JSON.
  var members: [UInt8] = []
  /// The methods that the resource has.
  var allowed: String?

  init(_ name: String, _ status: Int, _ detail: String) {
    self.name = name
    self.status = status
    self.detail = detail
  }

  static func forbidden(_ detail: String) -> Problem { Problem("Forbidden", 403, detail) }
  static func malformed(_ detail: String) -> Problem { Problem("InvalidMessage", 400, detail) }
  static var notFound: Problem { Problem("NotFound", 404, "there is no such resource") }
  static func tooLarge(_ limit: Int) -> Problem {
    Problem("TooLarge", 413, "the body exceeds \(limit) bytes")
  }
  static func unsupported(_ types: String) -> Problem {
    Problem("UnsupportedMediaType", 415, "the body must be \(types)")
  }
  static func unreachable(_ reason: String) -> Problem {
    Problem("Unreachable", 503, "the pad cannot be reached: \(reason)")
  }
  static var unanswered: Problem {
    unreachable("it has not answered for \(WebLimits.answer / 1_000_000_000) s")
  }
  static func invalidReply(_ reason: String) -> Problem {
    Problem("InvalidReply", 502, "the pad has sent no valid reply: \(reason)")
  }
  static var tooManyConnections: Problem {
    Problem("TooManyConnections", 503, "too many clients wait for the pad, or watch it")
  }

  /// As the pad's error of this name.
  static var busy: Problem { Problem(error: "org.paraph.Pad.Busy", .object([])) }
  /// As the pad's error of this name.
  static func badDocument(_ page: Int?, _ reason: String) -> Problem {
    let members = page.map { [("page", JSONValue.integer($0))] } ?? []
    return Problem(
      error: "org.paraph.Pad.BadDocument", .object(members + [("reason", .text(reason))]))
  }

  static func notAllowed(_ allowed: String) -> Problem {
    var problem = Problem("MethodNotAllowed", 405, "the methods are \(allowed)")
    problem.allowed = allowed
    return problem
  }

  /// The problem that an error of the pad means.
  init(error: String, _ parameters: JSONValue) {
    let dot = error.utf8.lastIndex(of: UInt8(ascii: "."))
    let name = dot.map { String(Substring(error.utf8[$0...].dropFirst())) } ?? error
    let reason = parameters["reason"]?.text
    switch name {
    case "Busy": self.init(name, 409, "the pad is busy with another request")
    case "OutOfService":
      self.init(name, 503, "the pad is out of service: \(reason ?? "no reason given")")
    case "BadDocument":
      let page = parameters["page"]?.integer.map { "page \($0) of the document" }
      self.init(name, 400, "\(page ?? "the document"): \(reason ?? "it cannot be shown")")
    case "NoRequest": self.init(name, 404, "no such request is open, or it has ink")
    case "NoSuchSignature":
      self.init(name, 404, "no signature of this id was saved within the last minute")
    case "StrokesNotAllowed":
      self.init(name, 403, "the pad's configuration does not allow clients to watch strokes")
    case "PressNotAllowed":
      self.init(name, 403, "the pad's configuration does not allow clients to press buttons")
    case "NotEnabled": self.init(name, 409, "the button cannot be pressed now")
    case "InvalidParameter":
      self.init(name, 400, "invalid parameter \(parameters["parameter"]?.text ?? "")")
    case "InvalidMessage": self.init(name, 400, reason ?? "the pad rejects the call")
    case "PermissionDenied":
      self.init(name, 403, "the pad does not accept calls of this program's user")
    default: self.init(name, 502, "unexpected error of the pad: \(error)")
    }
    if parameters.members?.isEmpty == false { members = parameters.bytes() }
  }

  /// The response.
  var response: WebResponse {
    var members: [(String, JSONValue)] = [
      ("type", .text("urn:paraph:error:\(name)")), ("title", .text(Problem.title(of: name))),
      ("status", .integer(status)), ("detail", .text(detail)),
    ]
    if !self.members.isEmpty,
      let more = try? JSONValue.parse(self.members, limits: .init(size: 1 << 16))
    {
      // The object keeps the last of members with the same name.
      for (name, value) in more.members ?? [] where !Problem.reserved.contains(name) {
        members.append((name, value))
      }
    }
    var response = WebResponse(
      status, "application/problem+json", JSONValue.object(members).bytes())
    if let allowed { response.add("Allow", allowed) }
    if status == 401 { response.add("WWW-Authenticate", "Bearer realm=\"paraph\"") }
    return response
  }

  private static let reserved = ["type", "title", "status", "detail", "instance"]

  /// "No such signature" for "NoSuchSignature".
  private static func title(of name: String) -> String {
    var title: [UInt8] = []
    for byte in name.utf8 {
      let isCapital = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
      if isCapital && !title.isEmpty {
        title += [UInt8(ascii: " "), byte | 0x20]
      } else {
        title.append(byte)
      }
    }
    return String(decoding: title, as: UTF8.self)
  }
}
