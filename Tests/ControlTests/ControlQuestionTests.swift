import JSON
import Testing

@testable import Control

/// Messages and questions.
@Suite struct ControlQuestionTests: ControlServiceSuite {
  var service = ControlService.test()

  @Test mutating func `a message is shown for five seconds unless told otherwise`() throws {
    var shown = PadRequest(.message, number: 1)
    (shown.text, shown.timeLimit) = ("Box 4", 5 * second)
    #expect(send("Show", #"{"text":"Box 4"}"#) == [.ask(.open(shown))])
    let gone = try reply(service.event(.messageGone(1, acknowledged: true), at: 0))
    #expect(gone["acknowledged"]?.flag == true && gone["cancelled_by"] == nil)
    _ = send("Show", #"{"text":"Box 4"}"#)
    let ended = try reply(service.event(.messageGone(2, acknowledged: false, by: .pad), at: 0))
    #expect(ended["acknowledged"]?.flag == false && ended["cancelled_by"]?.text == "pad")
  }

  @Test mutating func `a message without a text is shown in the words of the pad`() {
    var shown = PadRequest(.message, number: 1)
    shown.timeLimit = 5 * second
    #expect(send("Show", "{}") == [.ask(.open(shown))])
  }

  @Test mutating func `a message is shown in its language`() {
    var shown = PadRequest(.message, number: 1)
    (shown.text, shown.timeLimit, shown.language) = ("Fach 4", 5 * second, "de")
    #expect(send("Show", #"{"text":"Fach 4","language":"de"}"#) == [.ask(.open(shown))])
  }

  @Test mutating func `a question is answered with the number of the choice`() throws {
    var asked = PadRequest(.question, number: 1)
    (asked.title, asked.text, asked.choices) = ("Parcel", "Which door?", ["Front", "Back"])
    asked.timeLimit = 9 * second
    let parameters =
      #"{"title":"Parcel","text":"Which door?","choices":["Front","Back"],"time_limit":9}"#
    #expect(send("Ask", parameters) == [.ask(.open(asked))])
    service.connected(2, isAllowed: true)
    #expect(try reply(send("Sign", from: 2), to: 2).error == "org.paraph.Pad.Busy")
    let end = try reply(service.event(.answered(1, choice: 1), at: 0))
    #expect(end["outcome"]?.text == "answered" && end["choice"]?.integer == 1 && !end.continues)
    #expect(service.isReady(1) && service.open == nil)
  }

  @Test mutating func `a question that is not answered says why`() throws {
    let parameters = #"{"text":"Which door?","choices":["Front","Back"]}"#
    _ = send("Ask", parameters)
    let late = try reply(service.event(.timedOut(1), at: 0))
    #expect(late["outcome"]?.text == "timed_out" && late["choice"] == nil && late["state"] == nil)
    _ = send("Ask", parameters)
    let ended = try reply(service.event(.cancelled(2, by: .pad), at: 0))
    #expect(ended["outcome"]?.text == "cancelled" && ended["cancelled_by"]?.text == "pad")
    _ = send("Ask", parameters)
    let long = try reply(service.event(.refused(3, .tooLong("choices", limit: 12)), at: 0))
    #expect(long.error == "org.varlink.service.InvalidParameter" && long["limit"]?.integer == 12)
    _ = send("Ask", parameters)
    #expect(service.disconnected(1, at: 0) == [.ask(.cancel(4))])
  }

  @Test(arguments: [
    ("text", #"{"choices":["a","b"]}"#), ("choices", #"{"text":"x"}"#),
    ("choices", #"{"text":"x","choices":["a"]}"#),
    ("choices", #"{"text":"x","choices":["a","b","c","d","e"]}"#),
    ("choices", #"{"text":"x","choices":["a"," "]}"#),
    ("choices", #"{"text":"x","choices":["a","\u00A0\u200B\u3000\u0085\u2028\uFEFF"]}"#),
    ("choices", #"{"text":"x","choices":["a","\uDB40\uDC20"]}"#),
    ("choices", #"{"text":"x","choices":["a",""]}"#),
    ("choices", #"{"text":"x","choices":["a","\#(String(repeating: "b", count: 201))"]}"#),
    ("choices", #"{"text":"x","choices":["a",1]}"#), ("choices", #"{"text":"x","choices":"ab"}"#),
    ("reference", #"{"text":"x","choices":["a","b"],"reference":"1"}"#),
    ("time_limit", #"{"text":"x","choices":["a","b"],"time_limit":0}"#),
  ])
  mutating func `a question that is wrong is refused by the name of the parameter`(
    name: String, parameters: String
  ) throws {
    let answer = try reply(send("Ask", parameters))
    #expect(answer.error == "org.varlink.service.InvalidParameter")
    #expect(answer["parameter"]?.text == name && service.open == nil)
  }
}
