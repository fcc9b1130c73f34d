import CLinux
import Commands
import Configuration
import Linux
import Spool

/// The options that choose the spool and its entries.
struct SpoolLocation {
  private static let installed = "/var/lib/paraph/spool"

  static var option: Option {
    Option(
      "spool", value: "FOLDER", values: .folder,
      "Use the spool in FOLDER. Without it, the one in \(HandoffConfiguration.defaultPath), else \(installed)."
    )
  }

  static func ids(_ count: Operand.Count) -> Operand {
    Operand("ID", count: count, "The id of an entry, or the beginning of only one id.")
  }

  private let path: String?

  init(_ arguments: Arguments) { path = arguments.value("spool") }

  /// The named ids, or whether all entries are meant: one of them, not both.
  static func choice(_ arguments: Arguments) throws(UsageError) -> (ids: [String], isAll: Bool) {
    let isAll = arguments.has("all")
    if arguments.operands.isEmpty != isAll {
      throw arguments.error(isAll ? "option '--all' excludes ids" : "ID or '--all' is missing")
    }
    return (arguments.operands, isAll)
  }

  /// Opens it.
  func open() throws(ToolError) -> Spool {
    do throws(SpoolError) {
      return try Spool(at: path ?? configuredPath)
    } catch { throw ToolError(error) }
  }

  private var configuredPath: String {
    // A missing or wrong file is reported by the daemons.
    let configured = try? HandoffConfiguration(reading: HandoffConfiguration.defaultPath)
    return configured?.spool ?? SpoolLocation.installed
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
    case .invalid: self.init(.data, error.text)
    case .capacity: self.init(.tempfail, error.text)
    }
  }
}
