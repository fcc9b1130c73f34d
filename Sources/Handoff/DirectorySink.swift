internal import Configuration
internal import Linux
internal import Spool

/// Delivers into a folder, on this or another filesystem: `OUTBOX/ID/` with the item's files is there
/// whole, or not at all.
struct DirectorySink {
  let configuration: DirectorySinkConfiguration

  func deliver(_ item: Item) -> Outcome {
    do throws(SystemError) {
      let place = "\(configuration.path)/\(item.manifest.id.text)"
      switch try item.copy(into: try Folder(configuration.path)) {
      case nil: return .delivered
      case .notAFolder: return .never("\(place) is there and is no folder")
      case .otherContent: return .never("\(place) is there with another content")
      }
    } catch {
      return .later(error.text)
    }
  }
}
