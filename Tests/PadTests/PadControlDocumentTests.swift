import Control
import Ink
import Linux
import Nettle
import Raster
import Screen
import SpoolFixtures
import SyntheticHand
import Testing

@testable import Pad

/// Requests with documents, from the socket to the render thread.
@Suite struct PadControlDocumentTests {
  let second: Int64 = 1_000_000_000

  /// Uploads a page in one part; returns the reply.
  private func put(
    _ bytes: [UInt8], page: Int = 1, from program: ControlClient, to pad: ControlledPad,
    at now: Int64 = 0
  ) -> String {
    let data = String(decoding: Base64.letters(of: bytes), as: UTF8.self)
    program.call(
      "PutPage", #"{"document":"d","number":\#(page),"offset":0,"data":"\#(data)"}"#)
    pad.turn(at: now)
    return program.text
  }

  private let kept = "{\"parameters\":{}}\0"

  /// Asks for a signature below a document.
  private func sign(
    pages: Int, from program: ControlClient, to pad: ControlledPad, at now: Int64 = 0
  ) {
    let digest = String(repeating: "ab", count: 32)
    let document = #"{"id":"d","name":"Contract.pdf","digest":"\#(digest)","pages":\#(pages)}"#
    program.call("Sign", #"{"reference":"4711","time_limit":60,"document":\#(document)}"#)
    pad.turn(at: now)
  }

  /// A request with two pictures, as the render thread receives it.
  private func opened(on pad: ControlledPad, from program: ControlClient) throws -> TypesetRequest {
    for page in 1...2 {
      #expect(try put(UploadedPages.picture(), page: page, from: program, to: pad) == kept)
    }
    sign(pages: 2, from: program, to: pad)
    guard case .open(let typeset)? = pad.render.takeAll().last else { throw Unexpected() }
    return typeset
  }

  private struct Unexpected: Error {}

  /// The next page that a thread has prepared.
  private func answer(of pad: ControlledPad) throws -> RequestDocuments.Answer {
    var poll = Poll()
    poll.add(pad.main.number)
    try #require(try poll.wait(milliseconds: 60_000))
    guard case .sheet(let answer)? = pad.main.takeAll().first else { throw Unexpected() }
    return answer
  }

  private func files(_ folder: TemporaryFolder) -> [String] {
    (try? Folder.names(of: folder.path + "/documents")) ?? []
  }

  @Test func `a request with its document is handed to the render thread with its pages`() throws {
    let pad = try ControlledPad(hasJournal: true)
    pad.light(at: 0)
    let typeset = try opened(on: pad, from: try pad.program())
    #expect(typeset.request.document?.upload?.pages?.count == 2)
    #expect(typeset.scene.reading?.pages.count == 2)
  }

  @Test func `a request with a document that comes before the first panel waits for it`() throws {
    let pad = try ControlledPad(hasJournal: true)
    let program = try pad.program()
    #expect(put(Array("Vertrag".utf8), from: program, to: pad) == kept)
    sign(pages: 1, from: program, to: pad)
    #expect(pad.render.takeAll().isEmpty && program.text.isEmpty)
    pad.light(at: second)
    guard case .open(let typeset)? = pad.render.takeAll().first else { throw Unexpected() }
    #expect(typeset.scene.reading?.pages.count == 1)
  }

  @Test func `a page that is missing refuses the request before anything is shown`() throws {
    for isLit in [true, false] {
      let pad = try ControlledPad(hasJournal: true)
      if isLit { pad.light(at: 0) }
      _ = pad.render.takeAll()
      let program = try pad.program()
      #expect(try put(UploadedPages.picture(), page: 2, from: program, to: pad) == kept)
      sign(pages: 2, from: program, to: pad)
      let answer = program.text
      #expect(answer.contains("org.paraph.Pad.BadDocument") && answer.contains(#""page":1"#))
      #expect(answer.contains("the page has not arrived"))
      #expect(pad.render.takeAll().isEmpty && pad.control.isResting)
      // The client uploads it, and asks again.
      #expect(try put(UploadedPages.picture(), from: program, to: pad) == kept)
      sign(pages: 2, from: program, to: pad)
      #expect(program.text.isEmpty && !pad.control.isResting)
    }
  }

  @Test func `a text that the pad cannot show whole refuses the request`() throws {
    let pad = try ControlledPad(hasJournal: true)
    pad.light(at: 0)
    _ = pad.render.takeAll()
    let program = try pad.program()
    #expect(put(Array("Vertrag\u{FFFE}".utf8), from: program, to: pad) == kept)
    sign(pages: 1, from: program, to: pad)
    #expect(program.text.contains("characters that the pad cannot show"))
    #expect(pad.render.takeAll().isEmpty && files(pad.folder).isEmpty)
  }

  @Test func `a bad page is refused, and without a runtime directory any page`() throws {
    let pad = try ControlledPad(hasJournal: true)
    let program = try pad.program()
    let answer = put([0x89, 0x50, 0x4F], page: 3, from: program, to: pad)
    #expect(answer.contains("BadDocument") && answer.contains(#""page":3"#))
    let other = try ControlledPad()
    let none = put([0x41], from: try other.program(), to: other)
    #expect(none.contains("the pad has no folder for pages") && !none.contains(#""page""#))
  }

  @Test func `the pages that are wanted are prepared and handed to the render thread`() throws {
    let pad = try ControlledPad(hasJournal: true)
    pad.light(at: 0)
    let scene = try opened(on: pad, from: try pad.program()).scene
    pad.control.prepare([1, 0], read: 1, of: scene)
    for page in [1, 0] {
      pad.control.prepared(try answer(of: pad), at: 0)
      let messages = pad.render.takeAll()
      guard messages.count == 1, case .sheet(let shown, let number, _) = messages[0] else {
        throw Unexpected()
      }
      #expect(shown === scene && number == page)
    }
  }

  @Test func `pages that are wanted for another request are not prepared`() throws {
    let pad = try ControlledPad(hasJournal: true)
    pad.light(at: 0)
    let program = try pad.program()
    let scene = try opened(on: pad, from: program).scene
    pad.control.handle([.cancelled(1, by: .person)], at: 0)
    #expect(program.text.contains("cancelled"))
    pad.control.prepare([0], read: 0, of: scene)
    _ = try opened(on: pad, from: program)
    pad.control.prepare([0], read: 0, of: scene)
    #expect(pad.main.takeAll().isEmpty && pad.render.takeAll().isEmpty)
  }

  @Test func `a page beside the one that is read cancels nothing if it fails`() throws {
    let pad = try ControlledPad(hasJournal: true)
    pad.light(at: 0)
    let scene = try opened(on: pad, from: try pad.program()).scene
    pad.control.handle([.reading(1, page: 1, deadline: nil)], at: 0)
    try Folder(pad.folder.path + "/documents/1").remove("2")
    pad.control.prepare([1], read: 0, of: scene)
    pad.control.prepared(try answer(of: pad), at: 0)
    #expect(pad.render.takeAll().isEmpty)
  }

  @Test func `a page whose file vanished cancels the request when it is read`() throws {
    let pad = try ControlledPad(hasJournal: true)
    pad.light(at: 0)
    let program = try pad.program()
    let scene = try opened(on: pad, from: program).scene
    pad.control.handle([.reading(1, page: 2, deadline: nil)], at: 0)
    try Folder(pad.folder.path + "/documents/1").remove("2")
    pad.control.prepare([0, 1], read: 1, of: scene)
    pad.control.prepared(try answer(of: pad), at: 0)
    #expect(pad.render.takeAll().count == 1)
    pad.control.prepared(try answer(of: pad), at: 0)
    guard case .withdraw(1, .pad)? = pad.render.takeAll().last else { throw Unexpected() }
    #expect(program.text.isEmpty)
    pad.control.handle([.cancelled(1, by: .pad)], at: 0)
    let reply = program.text
    #expect(
      reply.contains("org.paraph.Pad.BadDocument") && reply.contains(#""page":2"#), "\(reply)")
    // The client must not upload it again for the person to meet the same page.
    #expect(!reply.contains("lost") && files(pad.folder).isEmpty)
  }

  @Test func `a page that fails after the end of its request cancels nothing`() throws {
    let pad = try ControlledPad(hasJournal: true)
    pad.light(at: 0)
    let program = try pad.program()
    let scene = try opened(on: pad, from: program).scene
    pad.control.prepare([0], read: 0, of: scene)
    var answer = try answer(of: pad)
    pad.control.handle([.timedOut(1)], at: 0)
    #expect(program.text.contains("timed_out"))
    _ = try opened(on: pad, from: program)
    answer = .init(
      scene: answer.scene, page: 0, result: .failure(DocumentProblem(page: 1, "gone")))
    pad.control.prepared(answer, at: 0)
    #expect(pad.render.takeAll().isEmpty)
  }

  @Test func `the request that is read is recorded with its document, and its end removes both`()
    throws
  {
    let pad = try ControlledPad(hasJournal: true)
    pad.light(at: 0)
    let program = try pad.program()
    _ = try opened(on: pad, from: program)
    _ = pad.save.takeAll()
    pad.control.handle([.reading(1, page: 2, deadline: 90 * second)], at: 0)
    guard case .recordRequest(let recorded?)? = pad.save.takeAll().last else {
      throw Unexpected()
    }
    #expect(recorded.document?.upload?.pages?.count == 2 && recorded.deadline == 90 * second)
    #expect(files(pad.folder) == ["1"])
    pad.control.handle([.timedOut(1)], at: 0)
    guard case .recordRequest(nil)? = pad.save.takeAll().last else { throw Unexpected() }
    #expect(files(pad.folder).isEmpty && program.text.contains(#""state":"timed_out""#))
  }

  @Test func `a client that disconnects leaves no pages`() throws {
    let pad = try ControlledPad(hasJournal: true)
    do {
      let program = try pad.program()
      #expect(try put(UploadedPages.picture(), from: program, to: pad) == kept)
      #expect(files(pad.folder) == ["1"])
    }
    pad.turn()
    #expect(files(pad.folder).isEmpty && pad.control.deadline == nil)
  }

  @Test func `pages that nobody signs for are discarded after a minute`() throws {
    let pad = try ControlledPad(hasJournal: true)
    let program = try pad.program()
    #expect(try put(UploadedPages.picture(), from: program, to: pad, at: second) == kept)
    #expect(pad.control.deadline == 61 * second)
    pad.control.time(61 * second)
    #expect(files(pad.folder).isEmpty && pad.control.deadline == nil)
  }

  // MARK: - Restart

  /// A request that an earlier start left open, with its document in a folder.
  private func leftOpen(in folder: TemporaryFolder) throws -> RecoveredState {
    let store = DocumentStore(in: folder.path)
    for part in UploadedPages.parts(of: try UploadedPages.picture()) { try store.put(part, at: 0) }
    var request = PadRequest(.signature, number: 7)
    (request.reference, request.document) = ("4711", UploadedPages.request(pages: 1))
    request.document?.upload = try store.take(UploadedPages.request(pages: 1))
    var state = RecoveredState()
    state.apply(.request(request))
    return state
  }

  @Test func `a restored request is shown again with its document`() throws {
    let folder = TemporaryFolder()
    let left = try leftOpen(in: folder)
    let pad = try ControlledPad(journal: folder.path, keeping: left.request?.document)
    pad.control.restore(left, at: 0)
    let watching = try pad.program()
    watching.call("Watch")
    pad.turn()
    #expect(watching.text.contains(#""state":"reading""#))
    pad.light(at: 0)
    let messages = pad.render.takeAll()
    guard messages.count == 1, case .setScenes(_, let open?) = messages[0] else {
      throw Unexpected()
    }
    #expect(open.number == 7 && open.scene.reading?.pages.count == 1)
    pad.control.prepare([0], read: 0, of: open.scene)
    pad.control.prepared(try answer(of: pad), at: 0)
    guard case .sheet(_, 0, _)? = pad.render.takeAll().last else { throw Unexpected() }
  }

  @Test(arguments: ["yes", "no"])
  func `a signature of a start without sealing has no plain ink in replies`(
    _ picture: String
  ) throws {
    var signature = SavedSignature(
      id: "0190c8a4-6d1e-7c3a-9f2b-5e4d3c2b1a09", digest: "", time: 0, reference: "4711",
      width: 1, height: 1, dpi: 100, png: [1, 2, 3], glass: Point(154, 86), strokes: [])
    signature.strokes = SyntheticHand().paraph(at: Point(30, 50), height: 9).map { Stroke($0) }
    var state = RecoveredState()
    state.apply(.signed(signature))
    let pad = try ControlledPad(
      seal: "recipients = /etc/paraph/notary.pem\npicture = \(picture)")
    pad.control.restore(state, at: 0)
    let program = try pad.program()
    var replies = ""
    for format in ["strokes", "svg", "inkml", "png"] {
      program.call("GetSignature", "{\"id\":\"\(signature.id)\",\"formats\":[\"\(format)\"]}")
      pad.turn()
      replies = program.text
      #expect(replies.contains("\"sealed\":[]"), "\(replies)")
      for name in ["strokes", "svg", "inkml"] {
        #expect(!replies.contains("\"\(name)\":"), "\(replies)")
      }
    }
    #expect(replies.contains("AQID") == (picture == "no"), "\(replies)")
  }

  @Test func `a restored request whose pages are gone is cancelled when the panel is lit`() throws {
    let folder = TemporaryFolder()
    let left = try leftOpen(in: folder)
    try Folder(folder.path + "/documents/1").remove("1")
    let pad = try ControlledPad(journal: folder.path, keeping: left.request?.document)
    pad.control.restore(left, at: 0)
    #expect(pad.render.takeAll().isEmpty)
    pad.light(at: 0)
    // The session has the request by the first message.
    let messages = pad.render.takeAll()
    guard messages.count == 2, case .setScenes(_, let open?) = messages[0],
      case .withdraw(7, .pad) = messages[1]
    else { throw Unexpected() }
    #expect(open.number == 7)
    // Another panel does not cancel it again.
    pad.light(at: second)
    #expect(pad.render.takeAll().count == 1)
    pad.control.handle([.cancelled(7, by: .pad)], at: second)
    #expect(files(folder).isEmpty)
  }

  @Test func `a request whose pages are gone takes no other request with it`() throws {
    let folder = TemporaryFolder()
    let left = try leftOpen(in: folder)
    try Folder(folder.path + "/documents/1").remove("1")
    let pad = try ControlledPad(journal: folder.path, keeping: left.request?.document)
    pad.control.restore(left, at: 0)
    pad.control.handle([.cancelled(7, by: .program)], at: 0)
    let program = try pad.program()
    program.call("Sign")
    pad.turn()
    pad.light(at: 0)
    let messages = pad.render.takeAll()
    guard messages.count == 2, case .open = messages[0], case .setScenes(_, nil) = messages[1]
    else { throw Unexpected() }
  }
}
