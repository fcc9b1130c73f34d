import CLinux
import Linux
import Spool
import SpoolFixtures
import Testing

@testable import Pad

extension SaveLoopTests {
  /// A request of paraph-seal that a signature takes.
  enum SealingStep: String, CaseIterable {
    /// The ink is sealed.
    case sealing = "[ $kind = 1 ]"
    /// The manifest is signed, after the sealed files were written.
    case signing = "[ $kind = 3 ] && grep -aq sequence request"
  }

  /// What the program does in the place of this request, and the reason that is reported.
  static let sealingFaults =
    [
      ("exit 70", "paraph-seal: ended without a reply (exit code 70)"),
      ("kill -9 $$", "paraph-seal: ended without a reply (signal 9)"),
      ("printf 'PSL1\\000\\000'; exit 0", "paraph-seal: its reply is invalid or cut"),
      ("head -c 4000 /dev/urandom; exit 0", "paraph-seal: its reply is invalid or cut"),
      ("printf 'PSL1\\000\\000\\000\\010\\003\\000\\000\\000\\003why'; exit 0", "why"),
    ]
    // Without memory for OpenSSL. A sanitizer's memory does not begin there.
    + (Sanitizer.isOff
      ? [("ulimit -c 0; ulimit -v 8000", "paraph-seal: ended without a reply (exit code 127)")]
      : [])

  @Test(arguments: SealingStep.allCases, sealingFaults)
  func
    `when paraph-seal fails at any step, nothing is published, one reason is told, and the next try succeeds`(
      _ step: SealingStep, _ fault: (action: String, reason: String)
    ) throws
  {
    let (recipient, pad) = try (
      SealKeys(.ellipticCurve, "notary", in: folder), SealKeys(.ellipticCurve, "pad", in: folder)
    )
    let (program, armed) = (folder.path + "/program", folder.path + "/armed")
    try Fixtures.write(
      program,
      Array(
        """
        #!/bin/sh
        cd \(folder.path)
        cat >request
        kind=$(od -An -tu1 -j8 -N1 request | tr -d ' ')
        if [ -e armed ] && \(step.rawValue); then
          \(fault.action)
        fi
        exec \(Programs.path("paraph-seal")) "$@" <request
        """.utf8))
    chmod(program, 0o755)
    let loop = try Running(
      folder, signature: "formats = png svg inkml json",
      seal: """
        recipients = \(recipient.certificate)
        swap = allow
        service = \(program)
        [sign]
        certificate = \(pad.certificate)
        key = \(pad.key)
        """)
    _ = try loop.settled()
    #expect(loop.glass() == [1])
    try Fixtures.write(armed, [])
    loop.messages.post(signature(strokes))
    let reasons = try self.reasons(loop.settled()).compactMap { $0 }
    #expect(reasons.count == 1 && reasons[0].hasSuffix(fault.reason), "\(reasons)")
    // The ink stays, and the pad is out of service until a test succeeds.
    #expect(loop.glass() == [-1, 0])
    #expect(try loop.items() == 0)
    #expect(try Folder(loop.spool + "/tmp").names().allSatisfy { $0 == "sequence" })
    unlink(armed)
    loop.messages.post(signature(strokes))
    _ = try loop.settled()
    #expect(try loop.items() == 1)
    let new = try Folder(loop.spool + "/new")
    let name = try #require(try new.names().first)
    let item = try Item(try #require(ItemID(name)), in: new)
    let content = { (name: String) in item.files.first { $0.name == name }?.bytes ?? [] }
    #expect(try recipient.open(content("strokes.json.cms"), in: folder) != nil)
    #expect(
      try pad.verify(content("signature.json.p7s"), content("signature.json"), in: folder))
    loop.stop()
  }
}
