import Testing

@testable import Handoff

/// A manifest is written by others: what it calls the device must not lead out of a place.
@Suite struct TemplateTests {
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
}
