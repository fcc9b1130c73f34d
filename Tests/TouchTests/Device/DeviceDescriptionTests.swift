import CLinux
import Testing

@testable import Touch

@Suite struct DeviceDescriptionTests {
  @Test func `a device has the codes that were added, from the first type to the last`() {
    var device = DeviceDescription()
    for type in [EV_SYN, EV_MAX] {
      device.add(type, 3)
      #expect(device.has(type, 3) && !device.has(type, 2))
      #expect(device.codes(of: type).contains(3))
    }
    #expect(device.types == [EV_SYN, EV_MAX])
  }

  @Test func `types and axes that no kernel knows are ignored`() {
    var device = DeviceDescription()
    for type in [-1, EV_MAX + 1, .max, .min] { device.add(type, 0) }
    for axis in [-1, ABS_MAX + 1, .max] {
      device.describe(axis, as: AxisRange(minimum: 0, maximum: 9))
      #expect(device.range(of: axis) == nil)
    }
    #expect(device == DeviceDescription())
  }

  @Test func `an axis has its range, from the first axis to the last`() {
    var device = DeviceDescription()
    for axis in [ABS_MAX, ABS_X] {
      device.describe(axis, as: AxisRange(minimum: -axis, maximum: 9))
      #expect(device.range(of: axis)?.minimum == -axis && device.hasAxis(axis))
    }
    #expect(device.range(of: ABS_Y) == nil && !device.hasAxis(ABS_Y))
  }

  @Test func `a span counts the values of an axis, and is 0 without the axis`() {
    #expect(DeviceDescription().span == (0, 0))
    #expect(TestDevice.slots.description.span == (800, 480))
  }

  @Test func `sets with the same codes are equal, whatever they had before`() {
    var (small, large) = (CodeSet(), CodeSet())
    small.insert(3)
    for code in [3, 200] as [Int32] { large.insert(code) }
    #expect(small != large && large != small)
    large.remove(200)
    #expect(small == large && large == small)
    large.insert(64)
    #expect(small != large && large != small)
  }

  @Test func `a code is removed from among its neighbours`() {
    var codes = CodeSet()
    for code in [0, 3, 63, 64, 70, 200] as [Int32] { codes.insert(code) }
    for code in [64, 200, 0, 5] as [Int32] { codes.remove(code) }
    #expect(codes.codes == [3, 63, 70])
  }
}
