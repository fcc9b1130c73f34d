internal import CLibmicrohttpd
internal import CLinux
internal import Configuration
internal import JSON
internal import Linux
internal import Nettle

/// paraph-web. Exit codes are those of sysexits.h.
enum WebCommand {
  static func run(_ arguments: DaemonArguments) -> Int32 {
    guard let configuration = read(arguments.configuration) else { return EX_CONFIG }
    if arguments.checksOnly { return EX_OK }
    // A large reply needs memory only for a while.
    Process.returnFreedMemory()
    do throws(SystemError) {
      let sockets = try ListeningSockets(configuration.listeners)
      return try SystemError.naming("epoll", "") { () throws(Errno) in
        let signals = try SignalDescriptor([SIGTERM, SIGINT])
        return try WebDaemon(configuration, sockets).run(signals: signals)
      }
    } catch {
      StandardError.log(.error, "kernel: \(error.text)")
      return EX_OSERR
    }
  }

  /// Returns nil for an invalid configuration, whose errors are logged.
  private static func read(_ path: String) -> WebConfiguration? {
    do throws(ConfigurationError) {
      return try WebConfiguration(reading: path)
    } catch {
      for line in error.lines { StandardError.log(.error, "config: \(line)") }
      return nil
    }
  }
}

DaemonArguments.main(
  Process.begin("paraph-web"), DaemonArguments.web,
  versions: {
    let server = unsafe "libmicrohttpd \(String(cString: MHD_get_version()))"
    return [server] + JSON.LibraryVersions.lines + Nettle.LibraryVersions.lines
  }, run: WebCommand.run)
