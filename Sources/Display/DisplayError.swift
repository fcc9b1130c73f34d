public import Linux

/// Why a panel cannot be lit, or went dark. The text for people is made by whoever reports it.
public enum DisplayError: Error, Equatable, Sendable {
  /// The driver refused a call, and why. An errno of EBADF or EFAULT is our own defect.
  case refused(DisplayCall, Errno)
  /// There is no card that can show pictures, in the whole of `/dev/dri`.
  case noCard
  /// There are cards, but no connector fits: each with its reason.
  case noPanel([UnusedConnector])
  /// Somebody else is master of the card: its node and, where `/proc` tells, who ("plymouthd (312)").
  case held(card: String, by: [String])
  /// What hangs on the connector now is not what was opened: another size or turn. Open it anew.
  case changed
  /// The card is no longer there (unplugged, or its driver replaced): ENODEV, ENXIO.
  case gone(card: String)
}

/// What was asked of the kernel, named as in the kernel's and libdrm's documentation.
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
  /// Reading the card's events.
  case readEvents = "read events"
  /// timerfd, eventfd or epoll for the panel's own waiting.
  case wait = "epoll"
  /// Mapping ordinary memory for the memory display.
  case allocate = "mmap"
}
