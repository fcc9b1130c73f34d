import Seal
import Testing

@testable import Pad

@Suite struct CertificateValidityTests {
  private let day: Int64 = 86_400

  private func validity(_ now: Int64) -> CertificateValidity {
    CertificateValidity(
      of: SealCertificate(subject: "", notBefore: 10 * day, notAfter: 100 * day), at: now)
  }

  @Test func `a certificate is valid from its first second to its last`() {
    #expect(validity(10 * day - 1) == .notBegun(days: 0))
    #expect(validity(10 * day) == .valid)
    #expect(validity(70 * day) == .valid)
    #expect(validity(70 * day + 1) == .ending(days: 29))
    #expect(validity(100 * day) == .ending(days: 0))
    #expect(validity(100 * day + 1) == .ended(days: 0))
    #expect(validity(102 * day) == .ended(days: 2))
  }

  @Test func `only a time outside of the dates can be refused`() {
    #expect([5, 10, 80].map { validity($0 * day).isOutside } == [true, false, false])
    #expect(validity(101 * day).isOutside)
    #expect(validity(20 * day).text == nil && validity(80 * day).text == "expires in 20 days")
  }
}
