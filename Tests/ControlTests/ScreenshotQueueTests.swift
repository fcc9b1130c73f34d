import JSON
import Testing

@testable import Control

@Suite struct ScreenshotQueueTests: ControlServiceSuite {
  var service = ControlService(info: .test, allowsStrokes: true, draw: SavedSignature.drawn)

  init() { service.connected(1, isAllowed: true) }

  @Test mutating func `a screenshot shows what was on the glass after the call`() throws {
    for client in 2...5 { service.connected(client, isAllowed: true) }
    let take = ControlService.Action.ask(.takeScreenshot(allowsInk: true))
    #expect(send("Screenshot") == [take] && !service.isReady(1))
    // It may have been taken already.
    for client in 2...4 { #expect(send("Screenshot", from: client) == []) }
    #expect(try reply(send("Screenshot", from: 5), to: 5).error == "org.paraph.Pad.Busy")
    let first = service.event(.screenshot(.png(Array("picture".utf8))), at: 0)
    #expect(try reply(first)["png"]?.text == "cGljdHVyZQ==")
    #expect(first.count == 2 && first.last == take && service.isReady(1))
    // The first client has not read its picture.
    #expect(try reply(send("Screenshot", from: 5), to: 5).error == "org.paraph.Pad.Busy")
    #expect(service.wasRead("screenshot", by: 1) == [])
    #expect(service.disconnected(3, at: 0) == [])
    #expect(send("Screenshot", from: 5) == [])
    let second = service.event(.screenshot(.inkNotAllowed), at: 0)
    #expect(try reply(second, to: 2).error == "org.paraph.Pad.StrokesNotAllowed")
    #expect(try reply(second, to: 4).error == "org.paraph.Pad.StrokesNotAllowed")
    #expect(second.count == 3 && second.last == take)
    let third = service.event(.screenshot(.outOfService("there is no panel")), at: 0)
    #expect(third.count == 1)
    #expect(try reply(third, to: 5)["reason"]?.text == "there is no panel")
    #expect(try reply(send("Screenshot", #"{"x":1}"#)).error?.hasSuffix("InvalidParameter") == true)
  }

  @Test mutating func `a client that has not read its screenshot gets no other one`() throws {
    #expect(send("Screenshot") == [.ask(.takeScreenshot(allowsInk: true))])
    #expect(service.event(.screenshot(.png([1])), at: 0).count == 1)
    #expect(try reply(send("Screenshot")).error == "org.paraph.Pad.Busy")
    #expect(service.wasRead("screenshot", by: 1) == [])
    #expect(send("Screenshot") == [.ask(.takeScreenshot(allowsInk: true))])
  }

  @Test mutating func `a client that has gone gets no screenshot, and none is taken for it alone`()
    throws
  {
    service.connected(2, isAllowed: true)
    let take = ControlService.Action.ask(.takeScreenshot(allowsInk: true))
    #expect(send("Screenshot") == [take] && send("Screenshot", from: 2) == [])
    #expect(service.disconnected(2, at: 0) == [])
    let taken = service.event(.screenshot(.png([1])), at: 0)
    #expect(taken.count == 1)
    #expect(try reply(taken).error == nil)
  }

  @Test mutating func `a screenshot of more than 4 MiB is refused`() throws {
    _ = send("Screenshot")
    let picture = [UInt8](repeating: 0, count: (4 << 20) + 1)
    let reply = try reply(service.event(.screenshot(.png(picture)), at: 0))
    #expect(reply["reason"]?.text == "the screenshot has more than 4 MiB")
  }
}
