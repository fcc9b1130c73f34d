/// What shows the ink.
public struct DisplayConfiguration: Equatable, Sendable {
  /// Which card.
  public enum Card: Equatable, Sendable {
    /// The first with a connected panel.
    case automatic
    /// The device node.
    case path(String)
    /// None: the picture lives in memory.
    case memory
  }

  /// How ink reaches the glass.
  public enum Presentation: Equatable, Sendable {
    /// Two buffers and page flips.
    case flip
    /// One buffer, drawn into while it shows.
    case front
  }

  /// Which of the kernel's calls set modes and frames.
  public enum Commit: Equatable, Sendable {
    /// Atomic commits, and the older calls where those fail.
    case automatic
    /// Atomic commits only.
    case atomic
    /// SETCRTC and PAGE_FLIP.
    case legacy
  }

  /// Which card.
  public var card: Card
  /// The connector's name, for example "DSI-1"; nil: the first that is connected.
  public var connector: String?
  /// Which of its modes.
  public var mode: DisplayMode
  /// The size of the picture on the glass, where the panel does not know or lies.
  public var size: Millimetres?
  /// Degrees clockwise; nil: as the panel is built in, where the kernel knows.
  public var rotation: Int?
  /// How ink reaches the glass.
  public var presentation: Presentation
  /// Which of the kernel's calls set modes and frames.
  public var commit: Commit
  /// Which lamp goes out with the panel.
  public enum Backlight: Equatable, Sendable {
    /// The only one there is, if there is only one.
    case automatic
    /// The panel's driver sees to it.
    case none
    /// Its name in `/sys/class/backlight`.
    case named(String)
  }

  /// Nanoseconds without a touch after which the panel is switched off; nil: never.
  public var blankAfter: Int64?
  /// Which lamp goes out with the panel.
  public var backlight: Backlight
  /// The memory display's size.
  public var pixels: PixelSize
  /// The memory display's frames per second.
  public var refresh: Int
  /// Where the memory display saves what it shows at the end.
  public var picture: String?

  init(_ section: Section) {
    card = section.value("card", .card, default: .automatic)
    connector = section.value("connector", .text).flatMap { $0 == "auto" ? nil : $0 }
    mode = section.value("mode", .mode, default: .preferred)
    size = section.value("size", .millimetres)
    rotation = section.value(
      "rotation", .choice(["auto", "0", "90", "180", "270"], [nil, 0, 90, 180, 270]),
      default: nil)
    presentation = section.value(
      "present", .choice(["flip", "front"], [.flip, .front]), default: .flip)
    commit = section.value(
      "commit", .choice(["auto", "atomic", "legacy"], [.automatic, .atomic, .legacy]),
      default: .automatic)
    blankAfter = section.value("blank-after", .spanOrNever, default: nil)
    backlight = section.value("backlight", .backlight, default: .automatic)
    pixels = section.value("pixels", .pixels, default: PixelSize(width: 1280, height: 800))
    refresh = section.value("refresh", .integer(1...1000), default: 60)
    picture = section.value("picture", .path)
  }
}

extension ValueType where Value == DisplayConfiguration.Card {
  fileprivate static var card: ValueType {
    ValueType { text throws(Refusal) in
      if text == "auto" { return .automatic }
      if text == "memory" { return .memory }
      if text.isAbsolute { return .path(text) }
      throw Refusal("must be auto, memory or an absolute path, not \"\(text)\"")
    }
  }
}

extension ValueType where Value == DisplayConfiguration.Backlight {
  /// A name in a folder, so that no path leads out of it.
  fileprivate static var backlight: ValueType {
    ValueType { text throws(Refusal) in
      if text == "auto" { return .automatic }
      if text == "none" { return .none }
      let bytes = Array(text.utf8)
      if bytes.contains(UInt8(ascii: "/")) || bytes.first == UInt8(ascii: ".") {
        throw Refusal("must be auto, none or a name in /sys/class/backlight, not \"\(text)\"")
      }
      return .named(text)
    }
  }
}
