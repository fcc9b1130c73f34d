import Testing

@testable import Handoff

/// A manifest is written by others: what it calls the device must not lead out of a place.
@Suite struct EscapeTests {
  @Test(arguments: [
    ("", "_", "_"), (".", "_", "_"), ("..", "__", "__"), ("...", "...", "..."),
    ("../x", "__%2Fx", ".._x"), ("a/..", "a%2F__", "a_.."), ("a/./b", "a%2F_%2Fb", "a_._b"),
    ("..\\x", "__%5Cx", ".._x"), ("/", "%2F", "_"), ("Locker 17", "Locker%2017", "Locker_17"),
    ("a..b", "a..b", "a..b"), ("ä", "%C3%A4", "__"), ("a~b", "a~b", "a_b"),
  ])
  func `a device's name is one segment of a path`(name: String, percent: String, plain: String) {
    #expect(Escape.percentEncoded(name) == percent)
    #expect(Escape.plain(name) == plain)
  }

  @Test(arguments: [
    ("", "_"), ("Locker 17", "Locker 17"), ("a\r\nX-Admin: 1", "a%0D%0AX-Admin: 1"),
    ("100%", "100%25"),
    (" a ", "%20a%20"), ("ä", "%C3%A4"), ("\u{0}", "%00"), ("{\"a\"}", "{\"a\"}"),
  ])
  func `a text in a header ends no line, and can be decoded`(text: String, header: String) {
    #expect(Escape.header(text) == header)
  }
}
