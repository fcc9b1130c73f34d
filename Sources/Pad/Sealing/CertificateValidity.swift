internal import Seal

/// The meaning of a certificate's dates at a time.
enum CertificateValidity: Equatable {
  case valid
  /// It ends within the time of warning.
  case ending(days: Int64)
  case ended(days: Int64)
  case notBegun(days: Int64)

  private static let day: Int64 = 86_400
  /// How long before its end a certificate is warned of, in days.
  private static let warning: Int64 = 30

  /// - Parameter now: In seconds since 1970.
  init(of certificate: SealCertificate, at now: Int64) {
    let left = certificate.notAfter - now
    if now < certificate.notBefore {
      self = .notBegun(days: (certificate.notBefore - now) / Self.day)
    } else if left < 0 {
      self = .ended(days: -left / Self.day)
    } else {
      self = left < Self.warning * Self.day ? .ending(days: left / Self.day) : .valid
    }
  }

  /// Whether the time is outside of the dates.
  var isOutside: Bool {
    switch self {
    case .valid, .ending: false
    case .ended, .notBegun: true
    }
  }

  /// The predicate of a sentence about the certificate; nil: there is nothing to say.
  var text: String? {
    switch self {
    case .valid: nil
    case .ending(let days): "expires in \(Self.text(days))"
    case .ended(let days): "expired \(Self.text(days)) ago"
    case .notBegun(let days): "becomes valid in \(Self.text(days))"
    }
  }

  private static func text(_ days: Int64) -> String { days == 1 ? "1 day" : "\(days) days" }
}
