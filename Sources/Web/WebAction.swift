public import JSON

/// An action of the server after an input.
public enum WebAction {
  /// Send a client its response.
  case respond(Int, WebResponse)
  /// Send a client the metrics in this format, for a page of this origin.
  case metrics(Int, MetricsFormat, origin: String?)
  /// Send a client this file of the web folder, for a page of this origin.
  case page(Int, String, origin: String?)
  /// Begin the live stream with these headers; the client reads it by `read(_:)`.
  case stream(Int, [WebRequest.Field])
  /// There is more of the live stream for a client that waits for it.
  case wake(Int)
  /// Take the next part of a client's body.
  case proceed(Int)
  /// Connect to the pad and call a method, or call it over the connection with this number; `more`: several replies are
  /// wanted.
  case call(Int, String, [(String, JSONValue)], more: Bool)
  /// Close the connection of a call.
  case hangUp(Int)
  /// A line for the log.
  case log(String)
}

/// The answer to a reader of the live stream.
public enum StreamRead: Equatable, Sendable {
  /// Bytes of the stream.
  case bytes([UInt8])
  /// Nothing yet: `.wake` follows.
  case wait
  /// The end: the client was too slow.
  case end
}

/// How the body of a request is received.
public enum BodyReception: Equatable, Sendable {
  /// As a whole, for `request`.
  case whole
  /// In parts, for `part`, after `upload`. The response can come before the last one.
  case parts
  /// Not at all.
  case refused(WebResponse)
}
