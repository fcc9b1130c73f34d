internal import CLibdrm
internal import CLinux
internal import Linux

/// The properties of connectors, CRTCs and planes that a commit sets or a survey reads, by the
/// kernel's names (drm-kms, "KMS Properties").
enum Property: String, CaseIterable {
  case crtc = "CRTC_ID"
  case framebuffer = "FB_ID"
  case mode = "MODE_ID"
  case active = "ACTIVE"
  case sourceX = "SRC_X"
  case sourceY = "SRC_Y"
  case sourceWidth = "SRC_W"
  case sourceHeight = "SRC_H"
  case crtcX = "CRTC_X"
  case crtcY = "CRTC_Y"
  case crtcWidth = "CRTC_W"
  case crtcHeight = "CRTC_H"
  case rotation = "rotation"
  case alpha = "alpha"
  case gamma = "GAMMA_LUT"
  case degamma = "DEGAMMA_LUT"
  case colourMatrix = "CTM"
  case variableRefresh = "VRR_ENABLED"
  case damage = "FB_DAMAGE_CLIPS"
  case type = "type"
  case dpms = "DPMS"
  case linkStatus = "link-status"
  case nonDesktop = "non-desktop"
  case orientation = "panel orientation"
  case edid = "EDID"
  case inFormats = "IN_FORMATS"
}

/// The properties of some objects: ids for commits, values as they were when read.
struct PropertyTable {
  struct Entry {
    let object: UInt32
    let property: Property
    let id: UInt32
    let value: UInt64
    /// The name of the enum value, for `panel orientation`.
    let valueName: String?
  }

  private(set) var entries: [Entry] = []

  /// The kind of an object, DRM_MODE_OBJECT_….
  enum Object: UInt32 {
    case connector = 0xC0C0_C0C0
    case crtc = 0xCCCC_CCCC
    case plane = 0xEEEE_EEEE
  }

  /// Reads those of one object. An object without properties has none; it is no failure. False if it is not
  /// there any more.
  @discardableResult
  mutating func add(
    _ object: UInt32, _ kind: Object, of card: Card
  ) throws(DisplayError) -> Bool {
    guard let list = unsafe drmModeObjectGetProperties(card.fd, object, kind.rawValue) else {
      return try Self.isThere(Errno.current, card: card.path)
    }
    defer { unsafe drmModeFreeObjectProperties(list) }
    for index in 0..<Int(unsafe list.pointee.count_props) {
      let (id, value) = unsafe (list.pointee.props[index], list.pointee.prop_values[index])
      guard let details = unsafe drmModeGetProperty(card.fd, id) else { continue }
      defer { unsafe drmModeFreeProperty(details) }
      guard let property = unsafe Self.property(details) else { continue }
      entries.append(
        Entry(
          object: object, property: property, id: id, value: value,
          valueName: unsafe Self.valueName(details, value)))
    }
    return true
  }

  /// What a refusal to list properties means: a connector without any (EINVAL, before Linux 4), or one that went
  /// away since it was listed, as those of DisplayPort hubs do (ENOENT).
  static func isThere(_ errno: Errno, card: String) throws(DisplayError) -> Bool {
    switch errno.rawValue {
    case EINVAL: return true
    case ENOENT: return false
    default: throw DisplayError(.getProperties, errno, card: card)
    }
  }

  /// The id of a property, or nil where the driver has none.
  func id(_ property: Property, of object: UInt32) -> UInt32? {
    entry(property, of: object)?.id
  }

  /// Its value when the table was read.
  func value(_ property: Property, of object: UInt32) -> UInt64? {
    entry(property, of: object)?.value
  }

  func entry(_ property: Property, of object: UInt32) -> Entry? {
    entries.first { $0.object == object && $0.property == property }
  }

  private static func property(_ details: drmModePropertyPtr) -> Property? {
    let name = unsafe text(details.pointee.name)
    return Property.allCases.first { $0.rawValue.isSame(as: name) }
  }

  private static func valueName(_ details: drmModePropertyPtr, _ value: UInt64) -> String? {
    for index in 0..<Int(unsafe details.pointee.count_enums) {
      let choice = unsafe details.pointee.enums[index]
      if choice.value == value { return text(choice.name) }
    }
    return nil
  }

  /// The text of one of DRM's fixed arrays of 32 characters.
  private static func text<T: BitwiseCopyable>(_ characters: T) -> String {
    unsafe withUnsafeBytes(of: characters) { bytes in
      unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
  }
}
