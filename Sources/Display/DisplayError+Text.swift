internal import Linux

extension DisplayError {
  /// One line: what could not be done, on what, why, and what to do about it.
  public var text: String {
    switch self {
    case .refused(let call, let errno):
      "the driver refuses \(call.rawValue): \(errno.text)"
    case .noCard:
      "no card in /dev/dri: is the panel's driver loaded?"
    case .noPanel(let unused):
      unused.isEmpty
        ? "no connector on any card"
        : "no panel to use: "
          + unused.map { "\($0.connector) on \($0.card) \($0.reason.text)" }.joined(separator: ", ")
    case .held(let card, let holders):
      holders.isEmpty
        ? "\(card) is in use by another program: end it, and start again"
        : "\(card) is in use by \(holders.joined(separator: ", ")): end it, and start again"
    case .changed: "the panel is another one than before"
    case .gone(let card): "\(card) is gone"
    }
  }
}

extension UnusedConnector.Reason {
  /// Completes "HDMI-A-1 on /dev/dri/card0 …".
  public var text: String {
    switch self {
    case .disconnected: "has nothing connected"
    case .otherCard: "is not on the configured card"
    case .otherConnector: "is not the configured connector"
    case .nonDesktop: "is no ordinary display"
    case .noModes: "has no modes"
    case .noSuchMode: "lacks the configured mode"
    case .noCRTC: "cannot be driven: no CRTC fits"
    case .noFormat: "takes no pixel format that can be drawn"
    case .another: "would do, but another was chosen"
    }
  }
}

extension UnusedCard {
  /// Completes "/dev/dri/card1 …".
  public var text: String {
    switch self {
    case .failed(let error): "cannot be asked: \(error.text)"
    case .renderOnly: "renders and shows nothing"
    case .empty: "has no connector or no CRTC"
    case .noDumbBuffers: "has no buffers that can be drawn by the CPU"
    }
  }
}
