internal import CLinux
internal import Configuration
internal import Linux

/// The control socket of the configuration.
enum ControlSocket {
  /// Opens the service manager's socket, the configured one, or one in the runtime directory.
  ///
  /// Returns nil if there is none.
  static func open(
    _ configuration: ControlConfiguration
  ) throws(SystemError) -> SocketListener? {
    if let listener = SocketListener(activated: ()) { return listener }
    let path: String
    switch configuration.socket {
    case .none: return nil
    case .path(let configured): path = configured
    case .automatic:
      guard let folder = Process.runtimeDirectory else {
        StandardError.log(
          .warning,
          "control: no socket: RUNTIME_DIRECTORY is not set (systemd sets it for the service); programs cannot "
            + "ask for signatures: set it, or [control] socket to a path or none")
        return nil
      }
      path = folder + "/org.paraph.Pad"
    }
    return try SocketListener(
      path: path, mode: configuration.mode,
      owner: try id(configuration.owner, "owner", Account.user),
      group: try id(configuration.group, "group", Account.group))
  }

  private static func id(
    _ name: String?, _ key: String, _ find: (String) -> UInt32?
  ) throws(SystemError) -> UInt32? {
    guard let name else { return nil }
    guard let found = find(name) else {
      throw SystemError("[control] \(key)", name, Errno(ENOENT))
    }
    return found
  }

  /// The users that may call the pad's methods: their numbers, and the names that no user has yet.
  static func users(
    _ configuration: ControlConfiguration, _ find: (String) -> UInt32? = Account.user
  ) -> (known: [UInt32], unknown: [String]) {
    var (known, unknown): ([UInt32], [String]) = ([], [])
    for name in configuration.users {
      if let user = find(name) {
        known.append(user)
        continue
      }
      unknown.append(name)
      StandardError.log(
        .warning,
        "config: [control] users: unknown user \(name); its calls are refused until it is known")
    }
    return (known, unknown)
  }
}
