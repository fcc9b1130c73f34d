internal import ArgumentParser
import CLinux
import Linux

@main
struct ParaphCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "paraph", abstract: "Looks at, draws and checks what a Paraph pad sees.",
    subcommands: [
      Calibrate.self,
      Cancel.self,
      Compare.self,
      Contacts.self,
      Devices.self,
      Doctor.self,
      Record.self,
      Render.self,
      Show.self,
      Sign.self,
      SpoolCommand.self,
      Status.self,
      Trace.self,
      Watch.self,
    ])

  /// ArgumentParser's own would print the usage below each mistake; here a mistake is one line.
  static func main() {
    do {
      var command = try parseAsRoot()
      try command.run()
    } catch let error as ToolError {
      finish(error.text, code: error.code.rawValue)
    } catch {
      if exitCode(for: error) == .success { exit(withError: error) }
      let line = message(for: error).split(separator: "\n").joined(separator: " ")
      finish("\(line) (try --help)", code: exitCode(for: error).rawValue)
    }
  }

  private static func finish(_ line: String, code: Int32) -> Never {
    // A name in it may be anybody's.
    StandardError.write("paraph: \(line.printable)\n")
    CLinux.exit(code)
  }
}
