internal import ArgumentParser

@main
struct ParaphCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "paraph", abstract: "Looks at, draws and checks what a Paraph pad sees.")
}
