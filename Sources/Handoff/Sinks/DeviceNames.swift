internal import Configuration
internal import Linux
internal import Nettle
internal import Spool

/// The names of this pad that templates contain, and the properties of items.
struct DeviceNames: Sendable {
  /// The configured name; nil: the manifest's where there is one.
  private let configured: String?
  private let device: String
  private let machine: MachineID
  private let host: String

  /// `device`: the configured name.
  init(_ device: Template?, machine: MachineID = .current, host: String = Process.hostName) {
    self.machine = machine
    self.host = host
    configured = device?.text { place in
      switch place {
      case .machine: machine.text
      case .serial: machine.serial
      case .host: host
      default: ""
      }
    }
    // Every pad of an image without a host name has the same.
    let isNamed = !["", "localhost", "localhost.localdomain", "(none)"].contains(host)
    self.device = configured ?? (isNamed ? host : machine.text)
  }

  /// The pad's name.
  var name: String { device }

  /// Fills a template that needs no item. `escape` makes names safe.
  func text(_ template: Template, escape: (String) -> String) -> String {
    template.text { escape(value(of: $0) ?? "") }
  }

  /// The same, of an optional template.
  func text(_ template: Template?, escape: (String) -> String) -> String? {
    guard let template else { return nil }
    return template.text { escape(value(of: $0) ?? "") }
  }

  /// Fills a template from a manifest. `escape` makes untrusted text safe.
  func text(_ template: Template, for manifest: Manifest, escape: (String) -> String) -> String {
    let date = Array(manifest.time.utf8)
    func digits(_ range: Range<Int>) -> String { String(decoding: date[range], as: UTF8.self) }
    return template.text { place in
      let text =
        switch place {
        case .id: manifest.id.text
        case .sequence: "\(manifest.sequence)"
        case .device: configured ?? manifest.device
        case .date: digits(0..<10)
        case .year: digits(0..<4)
        case .month: digits(5..<7)
        case .day: digits(8..<10)
        case .reference: manifest.reference ?? ""
        case .referenceDigest: manifest.reference.map { SHA256.text(of: Array($0.utf8)) } ?? ""
        case .documentDigest: manifest.document?.digest ?? ""
        case .panel: manifest.panel
        case .width: "\(manifest.width)"
        case .height: "\(manifest.height)"
        case .strokes: "\(manifest.strokes)"
        case .machine, .serial, .host: value(of: place) ?? ""
        }
      return escape(text)
    }
  }

  private func value(of place: Template.Place) -> String? {
    switch place {
    case .device: device
    case .machine: machine.text
    case .serial: machine.serial
    case .host: host
    default: nil
    }
  }
}
