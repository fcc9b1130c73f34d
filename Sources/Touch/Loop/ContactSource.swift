internal import Linux

/// The pure half of a device that draws: its events, in the order of time, become contacts on the glass.
final class ContactSource {
  /// Tells its contacts from those of other devices.
  let number: Int32
  let description: DeviceDescription
  private(set) var properties: UdevProperties
  private var decoder: ContactDecoder
  private var geometry: GlassGeometry
  /// Nil where nothing is filtered.
  private var filters: ContactFilters?
  /// How often events were lost.
  private(set) var gaps: UInt64 = 0

  init(
    _ description: DeviceDescription, _ properties: UdevProperties, state: DeviceState,
    number: Int32, _ options: InputOptions
  ) {
    self.number = number
    self.description = description
    self.properties = properties
    decoder = ContactDecoder(description, state: state)
    geometry = GlassGeometry(description, on: options.placement(properties))
    filters = options.filters.isNone ? nil : ContactFilters(options.filters, for: description)
  }

  /// What the device did that no device should, so far; nil if nothing.
  var oddity: String? {
    if decoder.placesOutOfRange > 0 {
      return "it reports places beyond its range, which are taken for its edge"
    }
    return decoder.contactsLeftOut > 0 ? "it reports more contacts than there is room for" : nil
  }

  /// The glass has changed.
  func place(_ options: InputOptions) {
    geometry = GlassGeometry(description, on: options.placement(properties))
  }

  /// udev's rules have found out more.
  func update(_ properties: UdevProperties, _ options: InputOptions) {
    if properties == self.properties { return }
    self.properties = properties
    place(options)
  }

  /// The state of the device follows. `isLoss`: because events were lost.
  func markGap(isLoss: Bool = true) {
    if isLoss { gaps &+= 1 }
    decoder.markGap(isStated: true)
  }

  /// Nothing waits; true where that made contacts for the ring.
  func settle(_ choice: inout TouchArbitration, _ ring: ContactRing) -> Bool {
    guard decoder.settle() else { return false }
    return pass(at: MonotonicClock.now, &choice, ring)
  }

  /// Takes in an event; true where the frame made contacts for the ring.
  func put(_ event: InputEvent, _ choice: inout TouchArbitration, _ ring: ContactRing) -> Bool {
    guard decoder.put(event) else { return false }
    return pass(at: event.time, &choice, ring)
  }

  /// The device is gone.
  func cancelAll(at time: Int64, _ choice: inout TouchArbitration, _ ring: ContactRing) -> Bool {
    decoder.cancelAll(at: time) && pass(at: time, isPenNear: false, &choice, ring)
  }

  private func pass(
    at time: Int64, isPenNear: Bool? = nil, _ choice: inout TouchArbitration, _ ring: ContactRing
  ) -> Bool {
    let isPenNear = isPenNear ?? decoder.isPenNear
    let isPenReporting = decoder.isPenReporting
    if filters?.take(decoder) == nil {
      choice.take(decoder, device: number, geometry, isPenNear, isPenReporting, at: time)
    } else {
      choice.take(filters, device: number, geometry, isPenNear, isPenReporting, at: time)
    }
    let count = choice.contacts.count
    for index in 0..<count { ring.push(choice.contacts[index]) }
    return count > 0
  }
}

// A span may not leave a class's property, where the decoders and filters of sources are.
extension ContactFilters {
  fileprivate mutating func take(_ decoder: borrowing ContactDecoder) { take(decoder.frame) }
}

extension TouchArbitration {
  fileprivate mutating func take(
    _ decoder: borrowing ContactDecoder, device: Int32, _ geometry: GlassGeometry,
    _ isPenNear: Bool, _ isPenReporting: Bool, at time: Int64
  ) {
    take(
      decoder.frame, device: device, geometry: geometry, isPenNear: isPenNear,
      isPenReporting: isPenReporting, at: time)
  }

  fileprivate mutating func take(
    _ filters: borrowing ContactFilters?, device: Int32, _ geometry: GlassGeometry,
    _ isPenNear: Bool, _ isPenReporting: Bool, at time: Int64
  ) {
    switch filters {
    case .some(let filters):
      take(
        filters.frame, device: device, geometry: geometry, isPenNear: isPenNear,
        isPenReporting: isPenReporting, at: time)
    case .none: break
    }
  }
}
