/// The limits of clients.
public enum WebLimits {
  /// The size of a body, in bytes: as the pad's limit of a message.
  public static let body = 32 << 10
  /// The size of a page of a document, in bytes: as the pad's limit of all pages.
  public static let page = 12 << 20
  /// The size of a part of a page, in bytes: as in config/org.paraph.Pad.varlink.
  public static let part = 24_000
  /// The documents that wait for a request at a time.
  static let documents = 4
  /// The calls to the pad at a time, and the pages that are being uploaded.
  static let calls = 16
  /// The clients that read the live stream at a time.
  public static let viewers = 128
  /// The size of a reply of the pad, in bytes.
  public static let reply = 16 << 20
  /// How long a request, or a document whose upload was broken, waits for its client after a disconnect, in nanoseconds.
  static let grace: Int64 = 5_000_000_000
  /// How long an unread signature and an unused document are kept, and how long a request waits for a pad that restarts,
  /// in nanoseconds.
  static let retention: Int64 = 60_000_000_000
  /// How long the pad may take for a part of a page, and for a call that waits for no person, in
  /// nanoseconds: less than a request may take to arrive.
  static let answer: Int64 = 30_000_000_000
  /// How often a request tries a pad that has gone, in nanoseconds. Watching it begins with that, too.
  static let retry: Int64 = 500_000_000
  /// How seldom a pad that keeps failing is watched again, in nanoseconds: as paraph.js tries this program.
  static let longestRetry: Int64 = 5_000_000_000
  /// How long a connection to the pad lasts that has not failed soon, in nanoseconds.
  static let stability: Int64 = 10_000_000_000
  /// How long the program stays unused where systemd starts it for the next connection, in nanoseconds.
  static let idle: Int64 = 60_000_000_000
  /// The time without an event after which viewers get a comment, in nanoseconds.
  static let comment: Int64 = 15_000_000_000
}
