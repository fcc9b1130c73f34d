/// What a command writes, told by the suffix of the output.
enum PictureFormat {
  case png, svg, inkml

  init?(_ path: String) {
    let name = path.lowercased()
    if name.hasSuffix(".png") {
      self = .png
    } else if name.hasSuffix(".svg") {
      self = .svg
    } else if name.hasSuffix(".inkml") {
      self = .inkml
    } else {
      return nil
    }
  }
}
