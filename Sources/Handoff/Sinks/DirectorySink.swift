internal import Configuration
internal import Linux
internal import Spool

/// Delivers to a folder of any filesystem. The folder `PATH/ID/` appears with all files, or not at all.
struct DirectorySink {
  let configuration: DirectorySinkConfiguration

  func deliver(_ item: Item) -> Outcome {
    do throws(SystemError) {
      let path = "\(configuration.path)/\(item.manifest.id.text)"
      switch try item.copy(into: try Folder(configuration.path)) {
      case nil: return .delivered
      case .notAFolder: return .permanentFailure("\(path) exists and is not a folder")
      case .otherContent: return .permanentFailure("\(path) exists with other content")
      }
    } catch {
      return .temporaryFailure(error.text)
    }
  }
}
