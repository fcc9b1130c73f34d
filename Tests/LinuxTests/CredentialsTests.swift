import CLinux
import Linux
import Testing

@Suite struct CredentialsTests {
  let daemon = Credentials(user: 900, groups: [900, 44])

  @Test func `the owner's bits apply to the owner, even if others have more permissions`() {
    #expect(daemon.may(.write, mode: 0o600, owner: 900, group: 0))
    #expect(!daemon.may(.read, mode: 0o066, owner: 900, group: 44))
  }

  @Test func `the group's bits apply to its members, and the others' bits do not`() {
    #expect(daemon.may(.write, mode: 0o660, owner: 0, group: 44))
    #expect(!daemon.may(.write, mode: 0o606, owner: 0, group: 44))
    #expect(!daemon.may(.write, mode: 0o660, owner: 0, group: 45))
    #expect(daemon.may(.read, mode: 0o664, owner: 0, group: 45))
  }

  @Test func `changing a folder needs write and search permission`() {
    #expect(daemon.may(.change, mode: 0o2770, owner: 1, group: 900))
    #expect(!daemon.may(.change, mode: 0o2760, owner: 1, group: 900))
  }

  @Test func `searching a folder does not need what listing its names needs`() {
    #expect(daemon.may(.search, mode: 0o701, owner: 1, group: 1))
    #expect(!daemon.may(.list, mode: 0o701, owner: 1, group: 1))
    #expect(daemon.may(.list, mode: 0o705, owner: 1, group: 1))
    #expect(!daemon.may(.search, mode: 0o704, owner: 1, group: 1))
  }

  @Test func `root has every permission`() {
    #expect(Credentials(user: 0, groups: []).may(.write, mode: 0, owner: 1, group: 1))
  }

  @Test func `a user of the machine has its groups and those that are added`() throws {
    let root = try #require(Credentials(user: "root", more: ["tty", "no such group"]))
    #expect(root.user == 0 && root.groups.contains(0))
    #expect(root.groups.last == Account.group("tty"))
    #expect(Credentials(user: "no such user") == nil)
  }

  @Test func `a user of the machine has a name, and other numbers have none`() {
    #expect(Account.localName(ofUser: 0) == "root")
    #expect(Account.localName(ofUser: 4_000_000_000) == nil)
  }
}
