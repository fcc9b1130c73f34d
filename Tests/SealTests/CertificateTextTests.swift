import Seal
import Testing

@Suite struct CertificateTextTests {
  private let certificate = "-----BEGIN CERTIFICATE-----\nMII=\n-----END CERTIFICATE-----\n"

  @Test func `a file has one certificate, perhaps with text before it`() {
    #expect(CertificateText.flaw(Array(certificate.utf8)) == nil)
    #expect(CertificateText.flaw(Array(("Subject: Notary\n" + certificate).utf8)) == nil)
  }

  @Test func `a file of a pad's keys has one certificate or several, and no private key`() {
    let key = "-----BEGIN PRIVATE KEY-----\nMII=\n-----END PRIVATE KEY-----\n"
    for number in [1, 2, 3] {
      let text = String(repeating: certificate, count: number)
      #expect(CertificateText.number(in: Array(text.utf8)) == number)
      #expect(CertificateText.flaw(ofSeveral: Array(text.utf8)) == nil)
      #expect(
        CertificateText.flaw(ofSeveral: Array((text + key).utf8))
          == "contains a private key, which does not belong in this file")
    }
    #expect(CertificateText.flaw(ofSeveral: []) == "contains no certificate in PEM")
  }

  @Test func `a file without a certificate, with several, or with a key is refused`() {
    #expect(CertificateText.flaw([]) == "contains no certificate in PEM")
    #expect(CertificateText.flaw([0x30, 0x82]) == "contains no certificate in PEM")
    #expect(
      CertificateText.flaw(Array((certificate + certificate).utf8))
        == "contains more than one certificate")
    for kind in ["", "RSA ", "ENCRYPTED "] {
      let key = "-----BEGIN \(kind)PRIVATE KEY-----\nMII=\n-----END \(kind)PRIVATE KEY-----\n"
      #expect(
        CertificateText.flaw(Array((certificate + key).utf8))
          == "contains a private key, which does not belong in this file")
    }
  }
}
