/// The section `[display]`.
public struct DisplayConfiguration: Equatable, Sendable {
  /// The display card.
  public enum Card: Equatable, Sendable {
    /// The first card with a connected panel.
    case automatic
    /// The card of a device node.
    case path(String)
    /// A picture in memory without a card.
    case memory
  }

  /// The way of presenting frames.
  public enum Presentation: Equatable, Sendable {
    /// Two buffers and page flips.
    case flip
    /// A single buffer that is drawn into while it is shown.
    case front
  }

  /// The kernel interface for modes and frames.
  public enum Commit: Equatable, Sendable {
    /// Atomic commits, or the legacy calls if those fail.
    case automatic
    /// Atomic commits only.
    case atomic
    /// Legacy calls: SETCRTC and PAGE_FLIP.
    case legacy
  }

  /// The backlight that is switched off with the panel.
  public enum Backlight: Equatable, Sendable {
    /// The backlight, if there is exactly one.
    case automatic
    /// None; the panel's driver controls it.
    case none
    /// A name in `/sys/class/backlight`.
    case named(String)
  }

  /// The display card.
  public var card: Card
  /// The connector's name, such as "DSI-1"; nil: the first connected one.
  public var connector: String?
  /// The connector's mode.
  public var mode: DisplayMode
  /// The size of the picture on the glass; nil: as the panel reports.
  public var size: Millimetres?
  /// The rotation in degrees clockwise; nil: as the kernel reports the panel's mounting.
  public var rotation: Int?
  /// The way of presenting frames.
  public var presentation: Presentation
  /// The kernel interface for modes and frames.
  public var commit: Commit
  /// The time without a touch after which the panel is switched off, in nanoseconds; nil: never.
  public var blankAfter: Int64?
  /// The backlight that is switched off with the panel.
  public var backlight: Backlight
  /// The size of the memory display.
  public var pixels: PixelSize
  /// The memory display's frames per second.
  public var refresh: Int
  /// The file to which the memory display saves its last picture; nil: none.
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
    blankAfter = section.value("blank-after", .durationOrNever, default: nil)
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
      if let path = text.absolutePath { return .path(path) }
      throw Refusal("must be auto, memory or an absolute path, not \"\(text)\"")
    }
  }
}

extension ValueType where Value == DisplayConfiguration.Backlight {
  /// A file name without slashes, so that it cannot leave the folder.
  fileprivate static var backlight: ValueType {
    ValueType { text throws(Refusal) in
      if text == "auto" { return .automatic }
      if text == "none" { return .none }
      if text.utf8.contains(UInt8(ascii: "/")) || text.utf8.first == UInt8(ascii: ".") {
        throw Refusal("must be auto, none or a name in /sys/class/backlight, not \"\(text)\"")
      }
      return .named(text)
    }
  }
}

/// The mode of a connector.
public enum DisplayMode: Equatable, Sendable {
  /// The panel's preferred mode.
  case preferred
  /// A mode of this size whose rate is nearest to `refresh` in hertz; nil: the panel's choice.
  case size(PixelSize, refresh: Double?)
}

extension ValueType where Value == DisplayMode {
  /// "preferred", "800x480" or "800x480@59.94".
  fileprivate static var mode: ValueType {
    ValueType { text throws(Refusal) in
      if text == "preferred" { return .preferred }
      if let size = PixelSize(text) { return .size(size, refresh: nil) }
      guard let (left, right) = halves(of: text, at: UInt8(ascii: "@")),
        let size = PixelSize(left), let refresh = Number.decimal(right),
        (1...1000).contains(refresh)
      else {
        throw Refusal("must be preferred, WIDTHxHEIGHT or WIDTHxHEIGHT@HERTZ, not \"\(text)\"")
      }
      return .size(size, refresh: refresh)
    }
  }
}
