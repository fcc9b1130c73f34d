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
    if arguments.checksOnly { return configuration.tls.map { check($0) } ?? EX_OK }
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

  /// Logs why these files cannot be used. Returns the exit status.
  private static func check(_ files: WebConfiguration.TLSFiles) -> Int32 {
    var store = TLSStore(files)
    do throws(SystemError) {
      guard let pair = try store.changed(), !HTTPDaemon.accepts(pair) else { return EX_OK }
      StandardError.log(.error, "config: \(TLSStore.mismatch)")
    } catch {
      // The daemon's own user may read the key, unlike the one who checks.
      let isForbidden = error.errno.rawValue == EACCES
      StandardError.log(isForbidden ? .warning : .error, "config: \(TLSStore.text(of: error))")
      if isForbidden { return EX_OK }
    }
    return EX_CONFIG
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
