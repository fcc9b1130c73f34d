import CLinux
import Linux
import Testing

@Suite struct CredentialsTests {
  let daemon = Credentials(user: 900, groups: [900, 44])

  @Test func `the owner's bits decide for the owner, even where others may more`() {
    #expect(daemon.may(.write, mode: 0o600, owner: 900, group: 0))
    #expect(!daemon.may(.read, mode: 0o066, owner: 900, group: 44))
  }

  @Test func `the group's bits decide for a member, and the others' for nobody in it`() {
    #expect(daemon.may(.write, mode: 0o660, owner: 0, group: 44))
    #expect(!daemon.may(.write, mode: 0o606, owner: 0, group: 44))
    #expect(!daemon.may(.write, mode: 0o660, owner: 0, group: 45))
    #expect(daemon.may(.read, mode: 0o664, owner: 0, group: 45))
  }

  @Test func `a folder is changed by writing and searching, both`() {
    #expect(daemon.may(.change, mode: 0o2770, owner: 1, group: 900))
    #expect(!daemon.may(.change, mode: 0o2760, owner: 1, group: 900))
  }

  @Test func `root may everything`() {
    #expect(Credentials(user: 0, groups: []).may(.write, mode: 0, owner: 1, group: 1))
  }

  @Test func `a user of the machine has its groups and those that are added`() throws {
    let root = try #require(Credentials(user: "root", more: ["tty", "no such group"]))
    #expect(root.user == 0 && root.groups.contains(0))
    #expect(root.groups.last == Account.group("tty"))
    #expect(Credentials(user: "no such user") == nil)
  }
}
