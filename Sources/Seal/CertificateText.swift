/// The text of a file that should have a certificate in PEM, looked at without parsing the certificate.
public enum CertificateText {
  /// Why the file cannot be a recipient's; nil: it has one certificate and no private key.
  public static func flaw(_ bytes: [UInt8]) -> String? {
    if count("PRIVATE KEY-----", in: bytes) > 0 {
      return "contains a private key, which does not belong in this file"
    }
    switch count("-----BEGIN CERTIFICATE-----", in: bytes) {
    case 0: return "contains no certificate in PEM"
    case 1: return nil
    default: return "contains more than one certificate"
    }
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
