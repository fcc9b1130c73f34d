internal import CLibcurl

/// Takes what a server answers, and stops a transfer when the program ends.
final class CurlReceiver {
  /// Enough for an error's name.
  private static let limit = 4096

  private let cancellation: Cancellation
  private(set) var body: [UInt8] = []
  /// Whether the head of the answer came whole: curl is content with its first line.
  private(set) var hasHead = false

  init(_ cancellation: Cancellation) { self.cancellation = cancellation }

  /// CURLOPT_WRITEFUNCTION: all that is over the limit is taken and forgotten.
  static let receive:
    @convention(c) (UnsafeMutablePointer<CChar>?, Int, Int, UnsafeMutableRawPointer?) -> Int = {
      bytes, size, count, context in
      guard let bytes = unsafe bytes, let context = unsafe context else { return 0 }
      let this = unsafe Unmanaged<CurlReceiver>.fromOpaque(context).takeUnretainedValue()
      let length = size * count
      let room = min(length, limit - this.body.count)
      let buffer = unsafe UnsafeBufferPointer(start: bytes, count: max(0, room))
      this.body += unsafe buffer.map { UInt8(bitPattern: $0) }
      return length
    }

  /// CURLOPT_HEADERFUNCTION: a line at a time; an empty one ends the head, and another answer's first line
  /// begins the next (after "100 Continue", a redirect, a proxy's leave). Trailers come after the body, and
  /// are of no head.
  static let receiveHeader:
    @convention(c) (UnsafeMutablePointer<CChar>?, Int, Int, UnsafeMutableRawPointer?) -> Int = {
      bytes, size, count, context in
      guard let bytes = unsafe bytes, let context = unsafe context else { return 0 }
      let this = unsafe Unmanaged<CurlReceiver>.fromOpaque(context).takeUnretainedValue()
      let line = unsafe UnsafeBufferPointer(start: bytes, count: size * count)
      if unsafe line.allSatisfy({ $0 == 13 || $0 == 10 }) {
        this.hasHead = true
      } else if unsafe line.starts(with: statusLine) {
        this.hasHead = false
      }
      return size * count
    }

  private static let statusLine = "HTTP/".utf8.map { CChar(bitPattern: $0) }

  /// CURLOPT_XFERINFOFUNCTION: anything but 0 ends the transfer.
  static let progress:
    @convention(c) (
      UnsafeMutableRawPointer?, curl_off_t, curl_off_t, curl_off_t, curl_off_t
    ) -> Int32 = { context, _, _, _, _ in
      guard let context = unsafe context else { return 0 }
      let this = unsafe Unmanaged<CurlReceiver>.fromOpaque(context).takeUnretainedValue()
      return this.cancellation.isCancelled ? 1 : 0
    }
}
