internal import Spool

/// The connected clients and what each waits for.
struct ClientTable {
  /// The kind of event that a client waits for.
  enum Occupation {
    /// Nothing: it may call.
    case none
    /// A reply that comes soon.
    case waiting
    case watching
    /// The end of its request.
    case request
  }

  /// The state of a client's conversation.
  enum Conversation: Equatable {
    case ready
    case signing(Int64, more: Bool, formats: [SignatureFormat])
    case showing(Int64)
    case asking(Int64)
    /// Waits for the end of the request that it cancels, so that its next request is not refused as busy.
    case cancelling(Int64, until: Int64, isWithoutInk: Bool)
    case watching
    /// Waits for a screenshot.
    case capturing
    /// Waits for the end of its press of a button.
    case pressing
    /// Waits for a change of the foreground.
    case switching
    /// Waits until its part of a page is kept.
    case uploading
    /// Its last reply is being sent.
    case closing
  }

  struct Client {
    let id: Int
    let isAllowed: Bool
    /// The requester for manifests; nil: unknown.
    var requester: Requester?
    /// Whether it is paraph-web, which names the tokens of its clients.
    var namesTokens = false
    var conversation = Conversation.ready
    /// It has uploaded a part of a document.
    var hasDocument = false
  }

  /// In the order of their identities.
  private var clients: [Client] = []

  var isEmpty: Bool { clients.isEmpty }
  var indices: Range<Int> { clients.indices }

  subscript(place: Int) -> Client {
    get { clients[place] }
    set { clients[place] = newValue }
  }

  /// Adds a client with an unused identity.
  mutating func add(_ client: Client) { clients.insert(client, at: lowerBound(client.id)) }

  /// Removes and returns a client.
  mutating func remove(_ id: Int) -> Client? { place(of: id).map { clients.remove(at: $0) } }

  /// The place of a client; nil: it has gone.
  func place(of id: Int) -> Int? {
    let place = lowerBound(id)
    return place < clients.count && clients[place].id == id ? place : nil
  }

  /// The first place with this identity or a larger one, by binary search.
  private func lowerBound(_ id: Int) -> Int {
    var (low, high) = (0, clients.count)
    while low < high {
      let middle = (low + high) / 2
      if clients[middle].id < id { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// The place of the client whose request this is; nil: it has gone.
  func owner(of number: Int64) -> Int? {
    clients.firstIndex { client in
      switch client.conversation {
      case .signing(number, _, _), .showing(number), .asking(number): true
      default: false
      }
    }
  }

  /// Whether this request is a question of a client that is connected.
  func isAsking(_ number: Int64) -> Bool {
    clients.contains { $0.conversation == .asking(number) }
  }

  /// The identities of clients that watch.
  var watchers: [Int] {
    clients.filter { if case .watching = $0.conversation { true } else { false } }.map { $0.id }
  }

  /// The identities of clients that receive each state of this request.
  func followers(of request: Int64?) -> [Int] {
    clients.filter {
      if case .signing(let number, more: true, _) = $0.conversation {
        number == request
      } else {
        false
      }
    }.map { $0.id }
  }

  func occupation(_ id: Int) -> Occupation {
    guard let place = place(of: id) else { return .none }
    return switch clients[place].conversation {
    case .signing, .showing, .asking: .request
    case .watching: .watching
    case .cancelling, .capturing, .pressing, .switching, .uploading: .waiting
    case .ready, .closing: .none
    }
  }

  /// Whether the client may call.
  func isReady(_ id: Int) -> Bool {
    place(of: id).map { clients[$0].conversation == .ready } ?? false
  }
}
