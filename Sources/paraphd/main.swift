internal import Configuration
internal import JSON
internal import Linux
internal import Nettle
internal import PNG
internal import Pad
internal import Text
internal import Touch

DaemonArguments.main(
  Process.begin("paraphd"), DaemonArguments.pad,
  versions: {
    PNG.LibraryVersions.lines + Text.LibraryVersions.lines + Touch.LibraryVersions.lines
      + JSON.LibraryVersions.lines + Nettle.LibraryVersions.lines
  }
) { arguments in
  if arguments.flags.contains("restore-console") { return Appliance.restoreConsole() }
  do throws(ConfigurationError) {
    let configuration = try PadConfiguration(
      reading: arguments.configuration, models: Appliance.modelNames)
    if arguments.checksOnly {
      let problems = PadExamination(configuration, triesSealing: true).problems
      Process.end(problems.areFatal ? 78 : 0, problems.lines.joined(separator: "\n"))
    }
    return Appliance.run(configuration)
  } catch {
    Process.end(78, error.lines.joined(separator: "\n"))
  }
}
