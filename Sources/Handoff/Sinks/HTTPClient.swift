internal import CLibcurl

/// Sends requests over connections that stay open between them. Belongs to one thread.
///
/// Each request has a handle of its own: libcurl 7.88 uses freed memory if the first header of a response to a
/// reused handle begins with a blank (curl issue 11101).
@safe struct HTTPClient: ~Copyable {
  /// libcurl's cache of connections.
  private let share: UnsafeMutableRawPointer

  private static let library = curl_global_init(Int(CURL_GLOBAL_DEFAULT))

  /// Initialises libcurl once. Call it before threads use it.
  static func prepareLibrary() { _ = library }

  init() {
    guard let share = unsafe CLibcurl_share() else { preconditionFailure("out of memory") }
    unsafe self.share = unsafe share
  }

  deinit { unsafe curl_share_cleanup(share) }

  /// Sends a request and waits for the response.
  borrowing func perform(
    _ request: HTTPRequest, _ options: HTTPRequest.Options, _ cancellation: Cancellation
  ) throws(HTTPError) -> HTTPReply {
    try unsafe HTTPTransfer(share).perform(request, options, cancellation)
  }
}
