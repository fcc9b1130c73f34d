internal import CLibmicrohttpd
internal import Web

/// A request and its response. libmicrohttpd holds a reference until it has finished with both.
@safe final class Exchange {
  /// The response that the client waits for.
  enum Answer {
    /// The service has not decided yet.
    case none
    case whole(WebResponse)
    /// The live stream, with its headers.
    case stream([WebRequest.Field])
    /// Close the connection without a response.
    case close
  }

  let client: Int
  let connection: OpaquePointer
  let daemon: HTTPDaemon
  var request: WebRequest
  var answer = Answer.none
  /// Bytes of the stream that libmicrohttpd had no room for.
  var pending: ArraySlice<UInt8> = []
  var isSuspended = false
  /// The service has the request.
  var isAsked = false
  /// The service takes the body in parts, which are in the request's body meanwhile.
  var isUpload = false
  /// The service has a part, and asks for the next one when it is done with it.
  var isPartTaken = false
  /// The service knows that the client is gone.
  var isGone = false

  init(_ client: Int, _ connection: OpaquePointer, _ daemon: HTTPDaemon, _ request: WebRequest) {
    self.client = client
    unsafe self.connection = connection
    self.daemon = daemon
    self.request = request
  }

  /// The client's socket.
  var socket: Int32 { unsafe CLibmicrohttpd_socket(connection) }

  func suspend() {
    guard !isSuspended else { return }
    isSuspended = true
    unsafe MHD_suspend_connection(connection)
  }

  /// Lets libmicrohttpd ask for the answer when its daemon runs, which does not happen by itself.
  func resume() {
    guard isSuspended else { return }
    isSuspended = false
    daemon.mustRun = true
    unsafe MHD_resume_connection(connection)
  }
}
