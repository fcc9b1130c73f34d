internal import JSON

/// A Varlink error: what a call is answered with instead of a result.
enum CallError: Error, Equatable {
  case interfaceNotFound(String)
  case methodNotFound(String)
  case invalidParameter(String)
  /// A text that does not fit the panel, and how many code points of it fit.
  case tooLong(String, limit: Int)
  case permissionDenied
  case expectedMore
  case busy
  case outOfService(String)
  case noRequest
  case noSuchSignature(String)
  case strokesNotAllowed
  case invalidMessage(String)

  var name: String {
    switch self {
    case .interfaceNotFound: "org.varlink.service.InterfaceNotFound"
    case .methodNotFound: "org.varlink.service.MethodNotFound"
    case .invalidParameter, .tooLong: "org.varlink.service.InvalidParameter"
    case .permissionDenied: "org.varlink.service.PermissionDenied"
    case .expectedMore: "org.varlink.service.ExpectedMore"
    case .busy: "org.paraph.Pad.Busy"
    case .outOfService: "org.paraph.Pad.OutOfService"
    case .noRequest: "org.paraph.Pad.NoRequest"
    case .noSuchSignature: "org.paraph.Pad.NoSuchSignature"
    case .strokesNotAllowed: "org.paraph.Pad.StrokesNotAllowed"
    case .invalidMessage: "org.paraph.Pad.InvalidMessage"
    }
  }

  var parameters: [(String, JSONValue)] {
    switch self {
    case .interfaceNotFound(let name): [("interface", .text(name))]
    case .methodNotFound(let name): [("method", .text(name))]
    case .invalidParameter(let name): [("parameter", .text(name))]
    case .tooLong(let name, let limit): [("parameter", .text(name)), ("limit", .integer(limit))]
    case .outOfService(let reason), .invalidMessage(let reason): [("reason", .text(reason))]
    case .noSuchSignature(let id): [("id", .text(id))]
    case .permissionDenied, .expectedMore, .busy, .noRequest, .strokesNotAllowed: []
    }
  }
}
