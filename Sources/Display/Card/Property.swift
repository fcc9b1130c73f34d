internal import CLibdrm
internal import CLinux
internal import Linux

/// A property of connectors, CRTCs or planes, by its kernel name (drm-kms, "KMS Properties").
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

/// The properties of some objects: ids, and the values at the time of reading.
struct PropertyTable {
  struct Entry {
    let object: UInt32
    let property: Property
    let id: UInt32
    let value: UInt64
    /// The name of an enum's value, for `panel orientation`.
    let valueName: String?
  }

  private var entries: [Entry] = []

  /// The kind of an object (`DRM_MODE_OBJECT_…`).
  enum Object: UInt32 {
    case connector = 0xC0C0_C0C0
    case crtc = 0xCCCC_CCCC
    case plane = 0xEEEE_EEEE
  }

  /// Reads the properties of one object; false if the object vanished.
  @discardableResult
  mutating func add(
    _ object: UInt32, _ kind: Object, of card: Card
  ) throws(DisplayError) -> Bool {
    guard let list = unsafe drmModeObjectGetProperties(card.fd, object, kind.rawValue) else {
      return try Self.exists(Errno.current, card: card.path)
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

  /// Whether an object whose properties cannot be listed still exists.
  ///
  /// EINVAL: a connector without properties (before Linux 4). ENOENT: it vanished since it was listed, as connectors
  /// of DisplayPort hubs do.
  static func exists(_ errno: Errno, card: String) throws(DisplayError) -> Bool {
    switch errno.rawValue {
    case EINVAL: return true
    case ENOENT: return false
    default: throw DisplayError(.getProperties, errno, card: card)
    }
  }

  /// The id of a property; nil if the driver lacks it.
  func id(_ property: Property, of object: UInt32) -> UInt32? {
    entry(property, of: object)?.id
  }

  /// The value of a property; nil if the driver lacks it.
  func value(_ property: Property, of object: UInt32) -> UInt64? {
    entry(property, of: object)?.value
  }

  /// The entry of a property; nil if the driver lacks it.
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

  /// The text in one of DRM's arrays of 32 characters.
  private static func text<T: BitwiseCopyable>(_ characters: T) -> String {
    unsafe withUnsafeBytes(of: characters) { bytes in
      unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
  }
}
