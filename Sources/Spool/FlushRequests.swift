internal import CLinux
internal import Linux

/// Requests to retry at once what waits for a sink: an empty file `state/.flush/SINK` for each.
extension Spool {
  /// In `state`. An id contains no dot.
  private static let flushName = ".flush"

  /// The folder that receives the requests.
  public var flushPath: String { state.path + "/" + Self.flushName }

  /// Creates the folder of the requests, if that is possible now.
  public borrowing func prepareFlushRequests() {
    do throws(SystemError) { _ = try state.openOrMakeFolder(Self.flushName) } catch {}
  }

  /// Asks paraph-handoff to retry at once what waits for a sink.
  public borrowing func requestFlush(of sink: String) throws(SpoolError) {
    try spooling { () throws(SystemError) in
      let folder = try state.openOrMakeFolder(Self.flushName)
      // Moved into place, so that a watch reports one event.
      try folder.replaceFile(sink, [], synced: false)
    }
  }

  /// Removes the requests and returns their sinks, also those before one that cannot be removed.
  public borrowing func takeFlushRequests() throws(SpoolError) -> [String] {
    do throws(SystemError) {
      let folder: Folder
      do throws(SystemError) {
        folder = try Folder(Self.flushName, in: state)
      } catch {
        if error.isForeign { return [] }
        throw error
      }
      // A name with a dot is being written.
      let sinks = try folder.names().filter { !$0.utf8.contains(UInt8(ascii: ".")) }
      var taken: [String] = []
      for sink in sinks {
        do throws(SystemError) {
          try folder.removeTree(sink)
        } catch {
          if taken.isEmpty { throw error }
          return taken
        }
        taken.append(sink)
      }
      return taken
    } catch { throw .system(error) }
  }
}
