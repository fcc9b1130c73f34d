/// The text of a file that should have a certificate in PEM, looked at without parsing the certificate.
public enum CertificateText {
  /// Why the file cannot be a recipient's; nil: it has one certificate and no private key.
  public static func flaw(_ bytes: [UInt8]) -> String? {
    flaw(ofSeveral: bytes) ?? (number(in: bytes) == 1 ? nil : "contains more than one certificate")
  }

  /// Why the file cannot have the certificates of a pad's keys; nil: it has at least one, and no private key.
  public static func flaw(ofSeveral bytes: [UInt8]) -> String? {
    if count("PRIVATE KEY-----", in: bytes) > 0 {
      return "contains a private key, which does not belong in this file"
    }
    return number(in: bytes) == 0 ? "contains no certificate in PEM" : nil
  }

  /// The number of certificates.
  public static func number(in bytes: [UInt8]) -> Int {
    count("-----BEGIN CERTIFICATE-----", in: bytes)
  }

  private static func count(_ text: String, in bytes: [UInt8]) -> Int {
    let pattern = Array(text.utf8)
    guard let first = pattern.first, bytes.count >= pattern.count else { return 0 }
    return (0...bytes.count - pattern.count).reduce(0) { sum, place in
      let found =
        bytes[place] == first && bytes[place..<place + pattern.count].elementsEqual(pattern)
      return found ? sum + 1 : sum
    }
  }
}
