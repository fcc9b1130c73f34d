internal import ArgumentParser

struct SpoolCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "spool",
    abstract: "Looks after the signatures that wait, were set aside, or are kept.",
    subcommands: [
      SpoolList.self, SpoolShow.self, SpoolRetry.self, SpoolDrop.self, SpoolExport.self,
    ])
}
