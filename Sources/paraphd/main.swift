internal import Configuration
internal import Linux
internal import Pad

switch DaemonArguments.parse(Process.arguments, for: DaemonArguments.pad) {
case .print(let text): Process.end(0, output: text)
case .refuse(let line): Process.end(64, line)
case .run(let arguments):
  if arguments.flags.contains("restore-console") { Process.end(Appliance.restoreConsole()) }
  do throws(ConfigurationError) {
    let configuration = try PadConfiguration(
      reading: arguments.configuration, models: Appliance.modelNames)
    if arguments.checksOnly {
      let problems = PadExamination(configuration).problems
      Process.end(problems.areFatal ? 78 : 0, problems.lines.joined(separator: "\n"))
    }
    Process.end(Appliance.run(configuration))
  } catch {
    Process.end(78, error.lines.joined(separator: "\n"))
  }
}
