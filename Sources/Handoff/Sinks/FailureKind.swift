internal import CLinux
internal import Linux

/// The kind of a temporary failure, by which metrics count: it tells an operator where to look.
enum FailureKind: String, CaseIterable, Sendable {
  /// No connection, or none in time.
  case network
  /// A certificate is not trusted or has expired, or TLS failed otherwise.
  case tls
  /// The receiver rejects the credentials.
  case credentials
  /// The receiver denies the topic, the bucket, the folder or the method.
  case denied
  /// The receiver is full, or a quota is exceeded.
  case full
  /// The receiver asks for fewer requests, or is not available.
  case busy
  /// No queue or client takes the message.
  case unrouted
  /// Another client has the same client id.
  case conflict
  /// Anything else.
  case other

  /// Of an HTTP status (RFC 9110, section 15; RFC 4918, section 11.5).
  init(status: Int) {
    switch status {
    case 401: self = .credentials
    case 403: self = .denied
    case 507: self = .full
    case 429, 500...599: self = .busy
    default: self = .other
    }
  }

  /// Of a system call that failed at a receiver's folder.
  init(_ error: Errno) {
    switch error.rawValue {
    case EACCES, EPERM, EROFS: self = .denied
    case ENOSPC, EDQUOT: self = .full
    default: self = .other
    }
  }

  /// Of a store's error code; nil: by the status.
  init?(code: String?) {
    switch code {
    case "InvalidAccessKeyId", "SignatureDoesNotMatch", "ExpiredToken", "InvalidToken":
      self = .credentials
    case "AccessDenied", "AllAccessDisabled", "NoSuchBucket": self = .denied
    case "QuotaExceeded", "InsufficientStorage", "XMinioAdminBucketQuotaExceeded", "StorageFull",
      "XMinioStorageFull", "InsufficientCapacity":
      self = .full
    // A 403 because of the pad's clock: no access list is at fault.
    case "RequestTimeTooSkewed": self = .other
    default: return nil
    }
  }
}
