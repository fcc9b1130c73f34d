internal import CLibcurl
internal import Configuration

/// A libcurl handle for one request.
@safe struct HTTPTransfer: ~Copyable {
  private let handle: UnsafeMutableRawPointer
  /// curl's message about an error. curl keeps its address.
  private let message: UnsafeMutableBufferPointer<CChar>

  /// A week in seconds, which no longest-pause exceeds. A greater number could overflow in nanoseconds.
  private static let retryAfterLimit: Int64 = 604_800

  /// - Parameter share: The connections that it may use.
  init(_ share: UnsafeMutableRawPointer) {
    guard let handle = unsafe curl_easy_init() else { preconditionFailure("out of memory") }
    unsafe self.handle = unsafe handle
    unsafe message = .allocate(capacity: Int(CURL_ERROR_SIZE))
    unsafe message.initialize(repeating: 0)
    _ = unsafe CLibcurl_setPointer(handle, CURLOPT_SHARE, share)
  }

  deinit {
    unsafe curl_easy_cleanup(handle)
    unsafe message.deallocate()
  }

  /// Sends a request and waits for the response.
  borrowing func perform(
    _ request: HTTPRequest, _ options: HTTPRequest.Options, _ cancellation: Cancellation
  ) throws(HTTPError) -> HTTPReply {
    let headers = HeaderList(request.headers)
    let receiver = unsafe ResponseReceiver(handle, options, cancellation)
    try set(options)
    try set(request, headers)
    let this = unsafe Unmanaged.passUnretained(receiver).toOpaque()
    try check(unsafe CLibcurl_setPointer(handle, CURLOPT_WRITEDATA, this))
    try check(unsafe CLibcurl_setPointer(handle, CURLOPT_XFERINFODATA, this))
    try check(unsafe CLibcurl_setPointer(handle, CURLOPT_HEADERDATA, this))
    try check(unsafe CLibcurl_setReceiver(handle, ResponseReceiver.receive))
    try check(unsafe CLibcurl_setHeaderReceiver(handle, ResponseReceiver.receiveHeader))
    try check(unsafe CLibcurl_setProgress(handle, ResponseReceiver.progress))
    try check(unsafe CLibcurl_setPointer(handle, CURLOPT_ERRORBUFFER, message.baseAddress))
    let body = request.body
    try set(CURLOPT_POSTFIELDSIZE_LARGE, size: Int64(body.count))
    let result = unsafe body.withUnsafeBytes { bytes in
      unsafe CLibcurl_setPointer(handle, CURLOPT_POSTFIELDS, bytes.baseAddress)
      return unsafe curl_easy_perform(handle)
    }
    if let limit = options.responseLimit, receiver.isTooLong {
      throw HTTPError(text: "the response is larger than \(limit) bytes", kind: .other)
    }
    if !receiver.hasRefusedRedirect {
      if result != CURLE_OK { throw error(result) }
      if !receiver.hasHead { throw HTTPError(text: "the response is incomplete") }
    }
    let seconds = min(unsafe CLibcurl_retryAfter(handle), Self.retryAfterLimit)
    return HTTPReply(
      status: unsafe Int(CLibcurl_status(handle)),
      retryAfter: seconds > 0 ? seconds * 1_000_000_000 : nil, body: receiver.body,
      hasEntityTag: receiver.hasEntityTag)
  }

  private borrowing func set(_ options: HTTPRequest.Options) throws(HTTPError) {
    // The main thread receives all signals.
    try set(CURLOPT_NOSIGNAL, 1)
    try set(CURLOPT_NOPROGRESS, 0)
    try set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
    try set(CURLOPT_TIMEOUT_MS, Int(clamping: options.timeLimit / 1_000_000))
    try set(CURLOPT_CONNECTTIMEOUT_MS, Int(clamping: min(30_000, options.timeLimit / 1_000_000)))
    // libcurl asks with "Expect: 100-continue" before a body of more than 1 MiB, and sends it after a second without
    // a reply (RFC 9110, 10.1.1). A body sent at once would lose the reply of a server that refuses it and closes:
    // the reset that answers the body discards what was not read yet.
    try set(CURLOPT_USERAGENT, "paraph-handoff")
    try set(CURLOPT_FOLLOWLOCATION, options.followsRedirects ? 1 : 0)
    try set(CURLOPT_MAXREDIRS, 5)
    // After a 301, a POST stays a POST with its body, as after 307 and 308 anyway.
    try set(CURLOPT_POSTREDIR, 1)
    if let authority = options.tls.authority {
      try set(CURLOPT_CAINFO, authority)
      try set(CURLOPT_PROXY_CAINFO, authority)
      // Debian's curl would also trust the system's authorities.
      try set(CURLOPT_CAPATH, nil)
      try set(CURLOPT_PROXY_CAPATH, nil)
    }
    if let certificate = options.tls.certificate { try set(CURLOPT_SSLCERT, certificate) }
    if let key = options.tls.key { try set(CURLOPT_SSLKEY, key) }
    if let proxy = options.proxy {
      try set(CURLOPT_PROXY, proxy)
      // no_proxy in the environment would exempt hosts from it.
      try set(CURLOPT_NOPROXY, "")
    }
  }

  private borrowing func set(
    _ request: HTTPRequest, _ headers: borrowing HeaderList
  ) throws(HTTPError) {
    let isSecure = request.url.utf8.starts(with: "https:".utf8)
    try check(unsafe CLibcurl_allowHTTP(handle, isSecure ? 1 : 0))
    try set(CURLOPT_URL, request.url)
    try set(CURLOPT_POST, 1)
    try set(CURLOPT_CUSTOMREQUEST, request.method)
    try check(unsafe CLibcurl_setList(handle, CURLOPT_HTTPHEADER, headers.first))
    if let token = request.token {
      try set(CURLOPT_HTTPAUTH, 1 << 6)  // CURLAUTH_BEARER
      try set(CURLOPT_XOAUTH2_BEARER, token)
    }
    if let signing = request.signing {
      try set(CURLOPT_AWS_SIGV4, signing.scope)
      try set(CURLOPT_USERPWD, signing.user)
    }
  }

  private borrowing func set(_ option: CURLoption, _ value: String?) throws(HTTPError) {
    try check(unsafe CLibcurl_setText(handle, option, value))
  }

  private borrowing func set(_ option: CURLoption, _ value: Int) throws(HTTPError) {
    try check(unsafe CLibcurl_setLong(handle, option, value))
  }

  private borrowing func set(_ option: CURLoption, size: Int64) throws(HTTPError) {
    try check(unsafe CLibcurl_setSize(handle, option, curl_off_t(size)))
  }

  private borrowing func check(_ result: CURLcode) throws(HTTPError) {
    if result != CURLE_OK { throw error(result) }
  }

  /// curl's message about the last error, or the message of the code.
  private borrowing func error(_ code: CURLcode) -> HTTPError {
    let bytes = unsafe message.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    var text = String(decoding: bytes, as: UTF8.self)
    if bytes.isEmpty {
      text = "curl \(code.rawValue)"
      if let words = unsafe curl_easy_strerror(code) { text = unsafe String(cString: words) }
    }
    switch code {
    case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE,
      CURLE_SSL_CERTPROBLEM:
      return HTTPError(text: TLSError.text(text), kind: TLSError.isEnd(text) ? .network : .tls)
    case CURLE_UNSUPPORTED_PROTOCOL:
      return HTTPError(
        text: "the response is not HTTP (\(text)); check scheme and port", kind: .other)
    default: return HTTPError(text: text)
    }
  }
}

/// Owns a curl_slist of header lines.
@safe private struct HeaderList: ~Copyable {
  private(set) var first: UnsafeMutablePointer<curl_slist>?

  init(_ lines: [String]) {
    for line in lines {
      guard let longer = unsafe curl_slist_append(first, line) else {
        preconditionFailure("out of memory")
      }
      unsafe first = unsafe longer
    }
  }

  deinit { unsafe curl_slist_free_all(first) }
}

/// Receives a response, and cancels the transfer at the end of the program.
@safe private final class ResponseReceiver {
  private let handle: UnsafeMutableRawPointer
  private let cancellation: Cancellation
  /// The limit of the body, in bytes.
  private let limit: Int
  /// Whether a response beyond the limit ends the transfer, rather than losing the rest.
  private let endsAtLimit: Bool
  private let followsRedirects: Bool
  private(set) var isTooLong = false
  private(set) var body: [UInt8] = []
  /// Whether all headers were received. curl requires only the status line.
  private(set) var hasHead = false
  /// Whether the headers have an ETag.
  private(set) var hasEntityTag = false
  /// Whether the transfer was ended because the response is a redirect that is never followed.
  private(set) var hasRefusedRedirect = false

  /// `handle`: of the transfer, which must live as long as this.
  init(
    _ handle: UnsafeMutableRawPointer, _ options: HTTPRequest.Options, _ cancellation: Cancellation
  ) {
    unsafe self.handle = unsafe handle
    self.cancellation = cancellation
    limit = options.responseLimit ?? HTTPReply.bodyLimit
    endsAtLimit = options.responseLimit != nil
    followsRedirects = options.followsRedirects
  }

  /// CURLOPT_WRITEFUNCTION: discards the bytes beyond the limit, or ends the transfer.
  static let receive:
    @convention(c) (UnsafeMutablePointer<CChar>?, Int, Int, UnsafeMutableRawPointer?) -> Int = {
      bytes, size, count, context in
      guard let bytes = unsafe bytes, let context = unsafe context else { return 0 }
      let this = unsafe Unmanaged<ResponseReceiver>.fromOpaque(context).takeUnretainedValue()
      let length = size * count
      let room = min(length, this.limit - this.body.count)
      this.isTooLong = this.isTooLong || room < length
      let buffer = unsafe UnsafeBufferPointer(start: bytes, count: max(0, room))
      this.body += unsafe buffer.map { UInt8(bitPattern: $0) }
      return this.isTooLong && this.endsAtLimit ? 0 : length
    }

  /// CURLOPT_HEADERFUNCTION: receives one line, or ends the transfer.
  static let receiveHeader:
    @convention(c) (UnsafeMutablePointer<CChar>?, Int, Int, UnsafeMutableRawPointer?) -> Int = {
      bytes, size, count, context in
      guard let bytes = unsafe bytes, let context = unsafe context else { return 0 }
      let this = unsafe Unmanaged<ResponseReceiver>.fromOpaque(context).takeUnretainedValue()
      let line = unsafe UnsafeBufferPointer(start: bytes, count: size * count)
      let letters = unsafe line.map { UInt8(bitPattern: $0) }
      return this.receive(line: letters) ? size * count : 0
    }

  /// Receives a line of the headers. Returns whether the transfer goes on.
  ///
  /// An empty line ends the headers. Another status line begins the next response, after "100 Continue", a
  /// redirect or a proxy's response. Trailers follow the body and do not matter.
  private func receive(line: [UInt8]) -> Bool {
    if line.allSatisfy({ $0 == 13 || $0 == 10 }) {
      hasHead = true
    } else if line.starts(with: "HTTP/".utf8) {
      hasHead = false
      hasEntityTag = false
    } else if !hasHead {
      let name = line.prefix { $0 != UInt8(ascii: ":") }.map { $0 | 0x20 }
      if name.elementsEqual("etag".utf8) { hasEntityTag = true }
      // 301, 307 and 308 say that the request has moved. What others lead to, such as a login page, would accept
      // the request and lose it.
      if followsRedirects && name.elementsEqual("location".utf8) {
        let status = unsafe Int(CLibcurl_status(handle))
        hasRefusedRedirect = (300..<400).contains(status) && ![301, 307, 308].contains(status)
      }
    }
    return !hasRefusedRedirect
  }

  /// CURLOPT_XFERINFOFUNCTION: a nonzero result ends the transfer.
  static let progress:
    @convention(c) (
      UnsafeMutableRawPointer?, curl_off_t, curl_off_t, curl_off_t, curl_off_t
    ) -> Int32 = { context, _, _, _, _ in
      guard let context = unsafe context else { return 0 }
      let this = unsafe Unmanaged<ResponseReceiver>.fromOpaque(context).takeUnretainedValue()
      return this.cancellation.isCancelled ? 1 : 0
    }
}
