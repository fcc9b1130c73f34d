#if DEBUG
  /// A program that asks until it has a signature, and then for the next document.
  struct Client {
    /// The name of its documents.
    let name: String
    /// The number of its connection, which is unique.
    var connection = 0
    var isConnected = false
    /// What the pad has sent it: bytes, and the identity of the signature in them.
    var inbox: [(bytes: [UInt8], awaited: String?)] = []
    /// Its call is for a signature.
    var signs = false
    private var number = 1
    /// The signature that it has not read, and until when the pad keeps it.
    private var owed: (reference: String, until: Int64, boot: Int)?
    private var savedSince = 0

    init(name: String) { self.name = name }

    /// The document of now.
    var reference: String { "\(name)\(number)" }

    mutating func connect(_ connection: Int) {
      self.connection = connection
      isConnected = true
      inbox = []
    }

    mutating func disconnect() {
      isConnected = false
      inbox = []
    }

    /// A signature was saved, perhaps for it.
    mutating func saved(for reference: String?, at now: Int64, boot: Int) {
      savedSince += 1
      guard reference == self.reference else { return }
      // The pad keeps four of them, each for a minute.
      owed = (self.reference, now + 50_000_000_000, boot)
      savedSince = 0
    }

    /// It has the signature: the next document follows.
    mutating func hasRead() {
      owed = nil
      number += 1
    }

    /// The pad has lost what it kept.
    mutating func isOwedNothing() { owed = nil }

    /// It has another answer.
    mutating func hasAnswer() { if owed == nil { number += 1 } }

    /// Nobody signs twice for the same document.
    func checkOpen(_ reference: String?, at now: Int64, boot: Int) throws {
      guard let owed, owed.reference == reference, now < owed.until, boot == owed.boot,
        savedSince < 3
      else { return }
      throw BrokenPromise("the person is asked to sign \(owed.reference) again")
    }
  }
#endif
