import CLinux
import Linux
import Testing

@testable import Display

@Suite struct PropertyTests {
  @Test func `a connector that vanished after the listing is absent, without an error`()
    throws
  {
    #expect(try !PropertyTable.exists(Errno(ENOENT), card: "card0"))
    #expect(try PropertyTable.exists(Errno(EINVAL), card: "card0"))
  }

  @Test func `a card that is gone or refuses is an error`() {
    #expect(throws: DisplayError.gone(card: "card0")) {
      try PropertyTable.exists(Errno(ENODEV), card: "card0")
    }
    #expect(throws: DisplayError.refused(.getProperties, Errno(EACCES))) {
      try PropertyTable.exists(Errno(EACCES), card: "card0")
    }
  }
}
