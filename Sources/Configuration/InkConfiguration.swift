/// How ink looks.
public struct InkConfiguration: Equatable, Sendable {
  /// The name of the stroke model; nil: the program's default.
  public var model: String?
  /// 0xRRGGBB.
  public var colour: UInt32

  init(_ section: Section, models: [String]) {
    let known = models.contains("default") ? models : ["default"] + models
    model = section.value("model", .choice(known)).flatMap { $0 == "default" ? nil : $0 }
    colour = section.value("colour", .colour, default: 0x000000)
  }
}
