import CLinux
import Testing
import Touch

@Suite struct DeviceSuitabilityTests {
  private func reason(_ change: (inout DeviceDescription) -> Void) -> String? {
    var device = DeviceDescription()
    change(&device)
    if case .unsuitable(let reason) = DeviceSuitability(device) { return reason }
    return nil
  }

  private func axes(_ device: inout DeviceDescription, _ codes: Int32...) {
    for code in codes { device.describe(code, as: AxisRange(minimum: 0, maximum: 99)) }
  }

  @Test(arguments: [
    (TestDevice.slots, DeviceKind.touchscreen), (.slotsOnly, .touchscreen),
    (.slotsAndPen, .touchscreen), (.lists, .touchscreen), (.singleTouch, .touchscreen),
    (.pressureOnly, .touchscreen), (.pen, .pen), (.leftButton, .pointer),
  ]) func `each kind of device is known`(device: TestDevice, kind: DeviceKind) {
    #expect(DeviceSuitability(device.description) == .suitable(kind))
  }

  @Test func `an unsuitable device is refused with the reason`() {
    #expect(reason { $0.add(EV_KEY, KEY_A) } == "no position axes")
    #expect(reason { axes(&$0, ABS_X) } == "only one of the axes X and Y")
    #expect(
      reason { axes(&$0, ABS_Z, ABS_RX) }
        == "reports on ABS_Z and ABS_RX, not on ABS_X and ABS_Y")
    #expect(reason { axes(&$0, ABS_VOLUME) } == "no ABS_X and ABS_Y")
    #expect(
      reason { axes(&$0, ABS_X, ABS_Y) }
        == "does not report touches: neither BTN_TOUCH, BTN_LEFT nor ABS_PRESSURE")
    #expect(
      reason {
        $0.add(EV_KEY, BTN_TOUCH)
        axes(&$0, ABS_X)
        $0.describe(ABS_Y, as: AxisRange(minimum: 5, maximum: 5))
      } == "axes without a range")
    #expect(
      reason {
        $0.add(EV_KEY, BTN_TOUCH)
        axes(&$0, ABS_X)
        $0.describe(ABS_Y, as: AxisRange(minimum: 0, maximum: 99, resolution: 4))
      } == "only one axis has a resolution")
    #expect(
      reason {
        $0.add(EV_KEY, BTN_TOUCH)
        $0.add(EV_KEY, BTN_TOOL_FINGER)
        axes(&$0, ABS_X, ABS_Y)
      } == "a touchpad")
    #expect(
      reason {
        $0.add(EV_KEY, BTN_TOUCH)
        $0.add(EV_KEY, BTN_TOOL_PEN)
        axes(&$0, ABS_X, ABS_Y)
      } == "a tablet without a screen (no INPUT_PROP_DIRECT)")
    #expect(
      reason {
        $0.properties.insert(INPUT_PROP_ACCELEROMETER)
        $0.add(EV_KEY, BTN_TOUCH)
        axes(&$0, ABS_X, ABS_Y)
      } == "an accelerometer")
  }

  @Test func `udev's rules may hide a device, or call it a touchscreen`() {
    var hidden = UdevProperties()
    hidden.add("LIBINPUT_IGNORE_DEVICE=1")
    #expect(
      DeviceSuitability(TestDevice.slots.description, hidden)
        == .unsuitable(reason: "LIBINPUT_IGNORE_DEVICE is set"))
    var device = TestDevice.singleTouch.description
    device.properties.remove(INPUT_PROP_DIRECT)
    device.add(EV_KEY, BTN_TOOL_FINGER)
    #expect(DeviceSuitability(device) == .unsuitable(reason: "a touchpad"))
    var named = UdevProperties()
    named.add("ID_INPUT_TOUCHSCREEN=1")
    #expect(DeviceSuitability(device, named) == .suitable(.touchscreen))
  }
}
