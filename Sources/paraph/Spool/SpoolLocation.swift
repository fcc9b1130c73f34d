internal import ArgumentParser
import CLinux
import Configuration
import Linux
import Spool

/// Which spool.
struct SpoolLocation: ParsableArguments {
  @Option(
    name: .customLong("spool"),
    help: ArgumentHelp(
      "The spool's folder (default: that of \(HandoffConfiguration.defaultPath), else "
        + "/var/lib/paraph/spool).", valueName: "folder"),
    completion: .directory)
  var path: String?

  /// Opens it.
  func open() throws(ToolError) -> Spool {
    do throws(SpoolError) {
      return try Spool(at: path ?? configuredPath)
    } catch { throw ToolError(error) }
  }

  private var configuredPath: String {
    // A file that is missing or refused is the daemons' business: they say what is wrong with it.
    let configured = try? HandoffConfiguration(reading: HandoffConfiguration.defaultPath)
    return configured?.spool ?? "/var/lib/paraph/spool"
  }
}

extension ToolError {
  init(_ error: SpoolError) {
    switch error {
    case .system(let system):
      switch system.errno.rawValue {
      case EACCES, EPERM, EROFS: self.init(.noPermission, error.text)
      case ENOENT: self.init(.noInput, error.text)
      default: self.init(.io, error.text)
      }
    case .misshapen: self.init(.data, error.text)
    case .noRoom: self.init(.tempfail, error.text)
    }
  }
}
