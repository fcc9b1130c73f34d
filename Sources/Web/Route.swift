internal import Configuration

/// The resource of a request.
enum Route: Equatable {
  /// A file of the signature.
  enum File: String {
    case png, svg, inkml

    var type: String {
      switch self {
      case .png: "image/png"
      case .svg: "image/svg+xml"
      case .inkml: "application/inkml+xml"
      }
    }
  }

  /// The button of the pad that a client presses.
  enum Button: String {
    case done, clear
  }

  case sign
  case cancel
  case show
  case ask
  case press(Button)
  case info
  /// A signature of this id: its description, or a file of it.
  case signature(String, File?)
  case live
  /// A page of the document with this id.
  case document(String, page: Int)
  /// A file of the web folder.
  case page(String)
  /// The metrics of paraph-handoff.
  case metrics

  /// Throws for an unknown path, and for a method that the resource does not have.
  init(_ request: WebRequest) throws(Problem) {
    if request.path == WebMetrics.path {
      guard request.isGet else { throw .notAllowed("GET, HEAD") }
      self = .metrics
      return
    }
    guard request.isCall else {
      guard let page = Route.page(of: request.path) else { throw .notFound }
      guard request.isGet else { throw .notAllowed("GET, HEAD") }
      self = .page(page)
      return
    }
    let name = String(Substring(request.path.utf8.dropFirst(WebRequest.calls.utf8.count)))
    switch name {
    case "sign": self = .sign
    case "cancel": self = .cancel
    case "show": self = .show
    case "ask": self = .ask
    case "done": self = .press(.done)
    case "clear": self = .press(.clear)
    case "info": self = .info
    case "live": self = .live
    case "openapi.json": self = .page("openapi.json")
    default:
      if let (id, file) = Route.signature(of: name) {
        self = .signature(id, file)
      } else if let (id, page) = Route.document(of: name) {
        self = .document(id, page: page)
      } else {
        throw .notFound
      }
    }
    if isRead {
      guard request.isGet else { throw .notAllowed("GET, HEAD") }
    } else {
      guard request.method == method else { throw .notAllowed(method) }
    }
  }

  /// The method of a route that changes something.
  private var method: String { isUpload ? "PUT" : "POST" }

  /// Whether the body is passed on in parts.
  var isUpload: Bool {
    if case .document = self { return true }
    return false
  }

  /// Whether the route changes nothing.
  var isRead: Bool {
    switch self {
    case .info, .signature, .live, .page, .metrics: true
    case .sign, .cancel, .show, .ask, .press, .document: false
    }
  }

  /// The permissions of which a client needs one; none: it needs none.
  var permissions: [Permission] {
    switch self {
    case .sign, .cancel, .show, .ask, .signature, .document: [.ask]
    case .info, .live: [.ask, .mirror]
    case .press: [.press]
    case .page: []
    case .metrics: [.scrape]
    }
  }

  private static func signature(of name: String) -> (String, File?)? {
    let prefix = "signatures/".utf8
    guard name.utf8.starts(with: prefix) else { return nil }
    let rest = name.utf8.dropFirst(prefix.count)
    let end = rest.firstIndex(of: UInt8(ascii: ".")) ?? rest.endIndex
    let id = rest[..<end]
    guard !id.isEmpty, id.count <= 64, id.allSatisfy({ $0.isWordByte }) else { return nil }
    guard end < rest.endIndex else { return (String(Substring(id)), nil) }
    let suffix = String(Substring(rest[end...].dropFirst()))
    guard let file = File(rawValue: suffix) else { return nil }
    return (String(Substring(id)), file)
  }

  private static func document(of name: String) -> (String, Int)? {
    let parts = name.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0].elementsEqual("documents".utf8) else { return nil }
    let (id, number) = (parts[1], parts[2])
    guard !id.isEmpty, id.count <= 64, id.allSatisfy({ $0.isNameByte }) else { return nil }
    // The pad says how many pages a document may have.
    guard number.count <= 4, number.first != UInt8(ascii: "0"), number.allSatisfy({ $0.isDigit }),
      let page = Int(String(Substring(number)))
    else { return nil }
    return (String(Substring(id)), page)
  }

  /// The name of a file in the web folder, without leading dots: none of it is outside of the folder.
  private static func page(of path: String) -> String? {
    switch path {
    case "/": return "index.html"
    case "/kiosk": return "kiosk.html"
    default: break
    }
    let name = path.utf8.dropFirst()
    guard path.utf8.first == UInt8(ascii: "/"), name.count <= 128 else { return nil }
    for part in name.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
      guard let first = part.first, first != UInt8(ascii: "."),
        part.allSatisfy({ $0.isNameByte })
      else { return nil }
    }
    return String(Substring(name))
  }
}

extension UInt8 {
  /// Whether the byte is an ASCII letter or digit, or a hyphen.
  fileprivate var isWordByte: Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20)
      || isDigit || self == UInt8(ascii: "-")
  }

  /// Whether the byte is one of a word, a dot or a low line.
  fileprivate var isNameByte: Bool {
    isWordByte || self == UInt8(ascii: ".") || self == UInt8(ascii: "_")
  }

  fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
}
