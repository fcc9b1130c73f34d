internal import CLinux
internal import Configuration
internal import Linux
internal import Seal
internal import SealClient
internal import Spool

/// Fetches the time stamp of an item, and stores it. Belongs to one thread, because it waits for network, disk and
/// paraph-seal.
///
/// paraph-seal writes the request and checks the response; this program only passes the bytes on.
struct TimestampFetch: ~Copyable {
  /// The result of a fetch.
  enum Result: Equatable, Sendable {
    /// The item has its time stamp.
    case stored(SealTimestamp)
    /// The fetch is retried. `retryAfter`: the delay that the authority requested, in nanoseconds.
    case failed(String, retryAfter: Int64? = nil)
    /// The disk has no room for it: the fetch is retried, and the authority is not to blame.
    case unstored(String)
    /// The authority rejects this item.
    case rejected(String)
    /// The item no longer exists.
    case gone
    /// The item's signature is not a regular file, or is too large. The item's readers report that.
    case invalid
  }

  private let configuration: TimestampConfiguration
  /// The spool's path.
  private let spool: String
  private let cancellation: Cancellation
  private let program: SealProgram
  private let client = HTTPClient()

  /// The limit of a signature, in bytes.
  private static let signatureLimit = 64 << 10

  init(_ configuration: TimestampConfiguration, spool: String, _ cancellation: Cancellation) {
    self.configuration = configuration
    self.spool = spool
    self.cancellation = cancellation
    // Does not use paraphd's socket of systemd: who may connect to it can have anything signed by
    // the pad's key.
    program = SealProgram(configuration.service ?? Process.path(besideThis: "paraph-seal"))
  }

  /// Fetches and stores the time stamp of an item in `new`.
  borrowing func fetch(_ id: ItemID) -> Result {
    do throws(Failure) {
      let signature = try read(id)
      let authorities = try self.authorities()
      let query = try ask(.query(signature))
      guard case .query(let query) = query else { throw Failure(Self.unexpected(query)) }
      let response = try post(query)
      let stamp = SealStamp(
        response: response, of: signature, to: query, trusting: authorities)
      let reply = try ask(.stamp(stamp))
      switch reply {
      case .stamped(let timestamp):
        let wall = WallClock.isSynchronized ? WallClock.now : nil
        if let reason = Self.difference(of: timestamp.time, from: wall) {
          throw Failure("\(host): \(reason)")
        }
        return try store(response, of: id) ? .stored(timestamp) : .gone
      case .rejected(let reason): return .rejected("\(host): \(reason)")
      case .failed(let reason): throw Failure(Self.reason(reason, response, host))
      default: throw Failure(Self.unexpected(reply))
      }
    } catch { return error.result }
  }

  private struct Failure: Error {
    let result: Result

    init(_ result: Result) { self.result = result }
    init(_ reason: String, retryAfter: Int64? = nil) {
      result = .failed(reason, retryAfter: retryAfter)
    }
  }

  /// Why the authority's time cannot be right just after a request; nil: it may be. `wall`: this
  /// machine's clock in nanoseconds since 1970; nil: it is not synchronised.
  static func difference(of time: Int64, from wall: Int64?) -> String? {
    guard let wall else { return nil }
    let seconds = (time &- wall / 1_000_000_000).magnitude
    return seconds > UInt64(SealTimestamp.tolerance)
      ? "the authority's clock differs from this one by \(seconds) s" : nil
  }

  // MARK: The spool

  private borrowing func read(_ id: ItemID) throws(Failure) -> [UInt8] {
    do throws(SystemError) {
      let item = try Folder(id.text, in: try Folder(spool + "/new"))
      let file = try item.openFile(Manifest.signatureName)
      let bytes = try SystemError.naming("read", item.path + "/" + Manifest.signatureName) {
        () throws(Errno) in
        if try file.status().kind != .file { throw Errno(ELOOP) }
        return try file.readAll(limit: Self.signatureLimit)
      }
      guard let bytes else { throw SystemError("read", spool, Errno(ELOOP)) }
      return bytes
    } catch {
      switch error.errno.rawValue {
      case ENOENT: throw Failure(.gone)
      case ELOOP, ENOTDIR, EISDIR, ENXIO: throw Failure(.invalid)
      default: throw Failure(error.text)
      }
    }
  }

  private borrowing func store(_ response: [UInt8], of id: ItemID) throws(Failure) -> Bool {
    // The next run may fetch it already.
    if cancellation.isCancelled { throw Failure("cancelled at shutdown") }
    do throws(SpoolError) {
      return try Spool(at: spool).store(timestamp: response, of: id)
    } catch {
      if case .system(let error) = error, [ENOSPC, EDQUOT].contains(error.errno.rawValue) {
        throw Failure(.unstored(error.text))
      }
      throw Failure(error.text)
    }
  }

  // MARK: paraph-seal

  private borrowing func ask(_ request: SealRequest) throws(Failure) -> SealReply {
    do throws(SealFailure) {
      return try program.ask(request)
    } catch { throw Failure(error.text) }
  }

  private static func unexpected(_ reply: SealReply) -> String {
    if case .failed(let reason) = reply { return "paraph-seal: \(reason)" }
    return "paraph-seal: its reply is invalid or cut"
  }

  /// Why a response is refused. Servers that are no authority answer with a page.
  private static func reason(_ reason: String, _ response: [UInt8], _ host: String) -> String {
    let first = response.first { $0 > 0x20 }
    return first == UInt8(ascii: "<")
      ? "\(host): the response is a web page, not a time stamp; check [timestamp] url"
      : "\(host): \(reason)"
  }

  private borrowing func authorities() throws(Failure) -> [UInt8] {
    do throws(Errno) {
      return try configuration.readAuthority()
    } catch { throw Failure("\(configuration.authority): \(error.text)") }
  }

  // MARK: The authority

  private var host: String { HTTPRequest(url: configuration.url, method: "POST").host }

  private borrowing func post(_ query: [UInt8]) throws(Failure) -> [UInt8] {
    var request = HTTPRequest(url: configuration.url, method: "POST")
    request.headers = [
      "Content-Type: application/timestamp-query", "Accept: application/timestamp-reply",
    ]
    var secrets: [String] = []
    do throws(SecretError) {
      for header in configuration.secretHeaders {
        let value = try header.value.readText()
        request.headers.append("\(header.name): \(value)")
        secrets.append(value)
      }
    } catch { throw Failure(error.text) }
    request.body = query
    let options = HTTPRequest.Options(
      tls: configuration.tls, proxy: configuration.proxy, timeLimit: configuration.timeLimit,
      responseLimit: SealStamp.responseLimit)
    let reply: HTTPReply
    do throws(HTTPError) {
      reply = try client.perform(request, options, cancellation)
    } catch { throw Failure("\(request.host): \(error.text)") }
    if reply.status == 200 { return reply.body }
    let detail = reply.firstLine(without: secrets).map { ": " + $0 } ?? ""
    let reason = "\(request.host): HTTP \(reply.status)\(detail)"
    // Sinks treat these as the item's fault. Here the fault may be the digest, never the item's bytes.
    if reply.status == 400 || reply.status == 422 { throw Failure(.rejected(reason)) }
    throw Failure(reason, retryAfter: reply.retryAfter)
  }
}

/// Fetches time stamps on a thread of its own, so that a slow authority delays no delivery.
final class TimestampWorker: Sendable {
  /// The result of a fetch.
  struct Report: Sendable {
    let entry: QueueEntry
    let result: TimestampFetch.Result
  }

  private enum Message: Sendable {
    case fetch(QueueEntry)
    case end
  }

  private let configuration: TimestampConfiguration
  private let spool: String
  private let cancellation: Cancellation
  private let messages: Mailbox<Message>
  private let reports: Mailbox<Report>

  /// `spool`: the spool's path.
  init(
    _ configuration: TimestampConfiguration, spool: String, reports: Mailbox<Report>,
    _ cancellation: Cancellation
  ) throws(Errno) {
    self.configuration = configuration
    self.spool = spool
    self.reports = reports
    self.cancellation = cancellation
    messages = try Mailbox()
  }

  /// Starts the thread.
  func start() throws(Errno) -> Thread {
    try Thread(name: "timestamps") { self.run() }
  }

  /// Fetches the time stamp of an item. Call it again after its report.
  func fetch(_ entry: QueueEntry) { messages.post(.fetch(entry)) }

  /// Ends the thread after the current item.
  func end() { messages.post(.end) }

  private func run() {
    let fetch = TimestampFetch(configuration, spool: spool, cancellation)
    messages.receive { message in
      guard case .fetch(let entry) = message else { return false }
      reports.post(Report(entry: entry, result: fetch.fetch(entry.id)))
      return true
    }
  }
}
