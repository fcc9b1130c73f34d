import CLinux
import Testing

@testable import Touch

@Suite struct PanelLocationTests {
  /// A touchscreen of 100 mm × 60 mm on a bus.
  private func device(
    bus: Int32 = 0, resolution: Int32 = 10, _ properties: String...
  ) -> FoundDevice {
    var description = DeviceDescription()
    description.identity.bus = UInt16(bus)
    for (axis, greatest) in [(ABS_MT_POSITION_X, Int32(1000)), (ABS_MT_POSITION_Y, 600)] {
      description.describe(
        axis, as: AxisRange(minimum: 0, maximum: greatest, resolution: resolution))
    }
    description.describe(ABS_MT_SLOT, as: AxisRange(minimum: 0, maximum: 4))
    var known = UdevProperties()
    for property in properties { known.add(property) }
    return FoundDevice(path: "/dev/input/event0", description: description, properties: known)
  }

  private func fitness(
    _ device: FoundDevice, on connector: String = "HDMI-A-1", _ width: Float = 300,
    _ height: Float = 200
  ) -> Int? {
    PanelLocation(connector: connector, width: width, height: height).fitness(of: device)
  }

  @Test func `udev's output has precedence`() throws {
    #expect(fitness(device("WL_OUTPUT=HDMI-A-2"), on: "HDMI-A-1", 100, 60) == nil)
    let named = try #require(fitness(device("WL_OUTPUT=HDMI-A-1")))
    let sized = try #require(fitness(device(bus: BUS_USB), on: "HDMI-A-1", 100, 60))
    #expect(named > sized)
  }

  @Test(arguments: [
    (Float(100), Float(60), true), (60, 100, true), (104, 58, true), (106, 60, false),
    (100, 70, false),
  ]) func `the same size within 5 %, either way up, fits better`(
    width: Float, height: Float, fits: Bool
  ) {
    #expect(fitness(device(), on: "Virtual-1", width, height) == (fits ? 2 : 0))
  }

  @Test func `a device without a size does not match by size`() {
    #expect(fitness(device(resolution: 0), on: "Virtual-1", 100, 60) == 0)
  }

  @Test(arguments: [
    ("DSI-1", BUS_I2C, 1), ("eDP-1", BUS_SPI, 1), ("DSI-1", BUS_USB, 0), ("HDMI-A-1", BUS_USB, 1),
    ("HDMI-A-1", BUS_I2C, 0), ("Virtual-1", BUS_VIRTUAL, 0), ("DP-2", BUS_VIRTUAL, 0),
  ]) func `built-in touchscreens fit built-in panels, USB ones monitors`(
    connector: String, bus: Int32, fitness: Int
  ) {
    #expect(self.fitness(device(bus: bus), on: connector) == fitness)
  }

  @Test func `the size weighs more than the bus`() throws {
    let sized = try #require(fitness(device(bus: BUS_I2C), on: "HDMI-A-1", 100, 60))
    let external = try #require(fitness(device(bus: BUS_USB), on: "HDMI-A-1", 300, 200))
    #expect(sized > external)
  }

  @Test func `equal matches keep their order`() {
    #expect(PanelLocation.order([]) == [])
    #expect(PanelLocation.order([0, 2, 1, 2, 0]) == [1, 3, 2, 0, 4])
  }

  @Test func `a touchscreen of another seat or output does not draw unless it is named`() {
    let panel = PanelLocation(connector: "HDMI-A-1", width: 300, height: 200)
    for property in ["ID_SEAT=seat1", "WL_OUTPUT=HDMI-A-2"] {
      let found = device(property)
      guard case .unsuitable = DeviceChoice.automatic.judge(found, on: panel) else {
        Issue.record("\(property) draws")
        continue
      }
      #expect(DeviceChoice.name("").judge(found, on: panel) == .suitable(.touchscreen))
    }
    #expect(
      DeviceChoice.automatic.judge(device("ID_SEAT=seat0", "ID_INPUT_TOUCHSCREEN=1"), on: panel)
        == .suitable(.touchscreen))
  }
}
