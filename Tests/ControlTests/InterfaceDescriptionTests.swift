import CLinux
import Linux
import Spool
import Testing

@testable import Control

@Suite struct InterfaceDescriptionTests {
  @Test func `the daemon answers with the file that is installed`() throws {
    let root = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    let file = try FileDescriptor(
      opening: root + "/config/org.paraph.Pad.varlink", O_RDONLY
    ).readAll(limit: 1 << 16)
    let text = String(decoding: try #require(file), as: UTF8.self)
    #expect(InterfaceDescription.text(of: "org.paraph.Pad") == text)
  }

  @Test func `the documented limits are those of the daemon`() {
    let words = InterfaceDescription.pad.split { $0 == " " || $0 == "\n" || $0 == "#" }
      .joined(separator: " ")
    let second: Int64 = 1_000_000_000
    #expect(words.contains("a message has at most \(ControlLimits.message) bytes with its NUL"))
    #expect(words.contains("a reference \(ControlLimits.reference) bytes of UTF-8"))
    #expect(
      words.contains(
        "title, prompt and text \(ControlLimits.text) bytes each; a choice \(ControlLimits.choice)."
      ))
    #expect(
      words.contains(
        "name of the original file, such as \"Contract.pdf\": 1 to \(ShownDocument.nameLimit) bytes"
      ))
    #expect(words.contains("A document is up to \(RequestDocument.pageLimit) pages"))
    #expect(words.contains("data 1 to \(PagePart.sizeLimit) bytes, in base64"))
    #expect(words.contains("At most \(ConnectionTable.limit) connections are open"))
    #expect(
      words.contains(
        "reads nothing of its replies for \(OutputQueue.stallLimit / second) seconds, or has not read all "
          + "of them after \(OutputQueue.replyLimit / second)"))
  }

  @Test func `it names every error that the daemon answers with`() {
    let errors: [CallError] = [
      .busy, .outOfService(""), .noRequest, .noSuchSignature(""), .strokesNotAllowed,
      .pressNotAllowed,
      .notEnabled, .notShared, .invalidMessage(""),
      .badDocument(DocumentProblem(page: 1, "", isLost: true)),
    ]
    for error in errors {
      let (name, parameters) = (error.name.split(separator: ".").last ?? "", error.parameters)
      // A document as a whole has no page, and only a lost one says so.
      let types = ["page": "?int", "lost": "?bool"]
      let list = parameters.map { "\($0.0): \(types[$0.0] ?? "string")" }.joined(separator: ", ")
      #expect(InterfaceDescription.pad.contains("error \(name) (\(list))\n"))
    }
  }
}
