import Linux
import SpoolFixtures
import Testing

@testable import Pad

/// Findings in the section [seal] before paraph-seal is asked.
extension PadExaminationTests {
  private func certificate() throws -> String {
    try SealKeys(.ellipticCurve, "notary", in: folder).certificate
  }

  @Test func `a certificate that cannot be read is a warning, so that the pad can say so`() throws {
    #expect(
      try lines("[seal]\nrecipients = /nowhere/notary.pem\npicture = yes") == [
        "f:4: warning: [seal] recipients: /nowhere/notary.pem: No such file or directory: the pad is out of service"
      ])
  }

  @Test func `sealing that would seal nothing is a warning`() throws {
    let certificate = try certificate()
    #expect(
      try lines("[seal]\nrecipients = \(certificate)") == [
        "f:4: warning: [seal] recipients: nothing is sealed: set picture = yes, or [signature] formats with json, svg or "
          + "inkml"
      ])
    #expect(
      try lines("[seal]\nrecipients = \(certificate)\n[signature]\nformats = png json").isEmpty)
    #expect(try lines("[seal]\nrecipients = \(certificate)\npicture = yes").isEmpty)
  }

  @Test func `a file with an unsealed picture of sealed ink is an error`() throws {
    let certificate = try certificate()
    let display = "[display]\ncard = memory\npicture = \(folder.path)/picture.png\n"
    let found = try lines(display + "[seal]\nrecipients = \(certificate)\npicture = yes")
    #expect(
      found == [
        "f:5: [display] picture: is an unsealed picture of the ink: remove it, or [seal] picture"
      ])
    // Where the picture is plain in the spool, it may be here.
    let plain = "[seal]\nrecipients = \(certificate)\n[signature]\nformats = png svg"
    #expect(try lines(display + plain).isEmpty)
  }

  @Test func `watching strokes that are sealed is a warning`() throws {
    let seal = "[seal]\nrecipients = \(try certificate())\npicture = yes\n"
    #expect(
      try lines(seal + "[control]\nwatch-strokes = yes").first
        == "f:7: warning: [control] watch-strokes: clients see no ink, which is sealed: set [seal] replies = plain to show "
        + "it")
    #expect(try lines(seal + "replies = plain\n[control]\nwatch-strokes = yes").isEmpty)
  }
}
