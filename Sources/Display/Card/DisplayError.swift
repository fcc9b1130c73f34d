internal import CLinux
public import Linux

/// Why a panel cannot be used.
public enum DisplayError: Error, Equatable, Sendable {
  /// The driver refused a call.
  case refused(DisplayCall, Errno)
  /// No card in `/dev/dri` has display outputs.
  case noCard
  /// No connector fits; each with its reason.
  case noPanel([UnusedConnector])
  /// Another program is the card's master; `by` lists the processes if `/proc` is readable.
  case held(card: String, by: [String])
  /// Another panel is connected now, with another size or rotation: open it anew.
  case changed
  /// The card was removed or its driver replaced (ENODEV, ENXIO).
  case gone(card: String)
}

/// A call that the kernel refused, by its name in the kernel's and libdrm's documentation.
public enum DisplayCall: String, Equatable, Sendable {
  /// Opening a card's node.
  case openCard = "open card"
  /// `DRM_IOCTL_MODE_GETCONNECTOR`.
  case getConnector = "GETCONNECTOR"
  /// `DRM_IOCTL_MODE_OBJ_GETPROPERTIES`.
  case getProperties = "OBJ_GETPROPERTIES"
  /// `DRM_IOCTL_MODE_CREATE_DUMB`.
  case createDumbBuffer = "CREATE_DUMB"
  /// `DRM_IOCTL_MODE_MAP_DUMB`, or mapping its offset.
  case mapDumbBuffer = "MAP_DUMB"
  /// `DRM_IOCTL_MODE_ADDFB2`, and ADDFB after it.
  case addFramebuffer = "ADDFB2"
  /// `DRM_IOCTL_MODE_CREATEPROPBLOB`.
  case createBlob = "CREATEPROPBLOB"
  /// `DRM_IOCTL_MODE_ATOMIC` with TEST_ONLY.
  case testCommit = "ATOMIC (TEST_ONLY)"
  /// `DRM_IOCTL_MODE_ATOMIC`.
  case commit = "ATOMIC"
  /// `DRM_IOCTL_MODE_SETCRTC`.
  case setCRTC = "SETCRTC"
  /// `DRM_IOCTL_MODE_PAGE_FLIP`.
  case pageFlip = "PAGE_FLIP"
  /// `DRM_IOCTL_MODE_DIRTYFB`.
  case dirtyFramebuffer = "DIRTYFB"
  /// `DRM_IOCTL_SET_MASTER`.
  case setMaster = "SET_MASTER"
  /// `DRM_IOCTL_MODE_OBJ_SETPROPERTY`.
  case setProperty = "OBJ_SETPROPERTY"
  /// read(2) of the card's events.
  case readEvents = "read events"
  /// A timerfd, eventfd or epoll of the panel's descriptor.
  case wait = "epoll"
  /// mmap(2) for a panel in memory.
  case allocate = "mmap"
}

extension DisplayError {
  /// One line for logs: what failed and why.
  public var text: String {
    switch self {
    case .refused(let call, let errno):
      "the driver refused \(call.rawValue): \(errno.text)"
    case .noCard:
      "no card in /dev/dri: check that the panel's driver is loaded"
    case .noPanel(let unused):
      unused.isEmpty
        ? "no connector on any card"
        : "no usable panel: "
          + unused.map { "\($0.connector) on \($0.card) \($0.reason.text)" }.joined(separator: ", ")
    case .held(let card, let holders):
      holders.isEmpty
        ? "\(card) is in use by another program: stop it"
        : "\(card) is in use by \(holders.joined(separator: ", ")): stop it"
    case .changed: "another panel was connected"
    case .gone(let card): "\(card) is gone"
    }
  }
}

extension UnusedConnector.Reason {
  /// The predicate of a sentence that begins with the connector.
  public var text: String {
    switch self {
    case .disconnected: "has nothing connected"
    case .otherCard: "is not on the configured card"
    case .otherConnector: "is not the configured connector"
    case .nonDesktop: "is not a desktop display"
    case .noModes: "has no modes"
    case .noSuchMode: "lacks the configured mode"
    case .noCRTC: "has no usable CRTC"
    case .noFormat: "takes no supported pixel format"
    case .another: "is usable, but another was chosen"
    }
  }
}

extension UnusedCard {
  /// The predicate of a sentence that begins with the card.
  public var text: String {
    switch self {
    case .failed(let error): "cannot be queried: \(error.text)"
    case .renderOnly: "has no display outputs"
    case .empty: "has no connector or no CRTC"
    case .noDumbBuffers: "has no dumb buffers"
    }
  }
}

extension DisplayError {
  /// Whether a previous commit is still pending (EBUSY).
  var isBusy: Bool {
    if case .refused(_, let errno) = self { return errno.rawValue == EBUSY }
    return false
  }

  /// Whether the driver does not support the request.
  var isInvalid: Bool {
    guard case .refused(_, let errno) = self else { return false }
    return [EINVAL, ERANGE, ENOSPC, EOPNOTSUPP, ENOENT].contains(errno.rawValue)
  }

  /// Whether this process is not the card's master (EACCES, EPERM).
  var isForbidden: Bool {
    guard case .refused(_, let errno) = self else { return false }
    return errno.rawValue == EACCES || errno.rawValue == EPERM
  }

  /// Whether another attempt with the full state may succeed.
  var isRepairable: Bool {
    if case .refused = self { return !isForbidden }
    return false
  }

  /// The meaning of a refused first mode: `changed` if the connector has no panel any more.
  func ofFirstMode(on connector: ConnectorSurvey?) -> DisplayError {
    guard let connector, connector.status != .disconnected else { return .changed }
    return self
  }
}
