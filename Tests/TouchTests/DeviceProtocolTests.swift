import CLinux
import Testing

@testable import Touch

@Suite struct DeviceProtocolTests {
  private func heard(_ device: TestDevice) -> Set<Int32> {
    let axes = DeviceProtocol(device.description).axes
    return Set((0..<ABS_CNT).filter { axes & 1 << UInt64($0) != 0 })
  }

  @Test(arguments: TestDevice.allCases)
  func `every axis that tells of a contact is heard`(device: TestDevice) {
    let description = device.description
    let plan = DeviceProtocol(description)
    var needed = [plan.axisX, plan.axisY, plan.axisPressure]
    if plan.multitouch != .none {
      needed += [ABS_MT_SLOT, ABS_MT_TRACKING_ID, ABS_MT_TOOL_TYPE, ABS_MT_DISTANCE]
    }
    if plan.point != .none { needed += [ABS_X, ABS_Y, ABS_PRESSURE, ABS_DISTANCE] }
    // A list may end with it.
    if plan.multitouch == .lists { needed.append(ABS_PRESSURE) }
    #expect(heard(device).isSuperset(of: needed))
  }

  @Test func `what repeats the first finger, or tells how a finger lies, need not be sent`() {
    #expect(heard(.slots).isDisjoint(with: [ABS_X, ABS_Y, ABS_PRESSURE]))
    #expect(
      heard(.slots).isDisjoint(
        with: [ABS_MT_TOUCH_MINOR, ABS_MT_WIDTH_MAJOR, ABS_MT_ORIENTATION, ABS_MT_TOOL_X]))
    #expect(heard(.pen).allSatisfy { $0 < ABS_MT_SLOT })
    #expect(heard(.slotsAndPen).isSuperset(of: [ABS_X, ABS_Y, ABS_PRESSURE, ABS_TILT_X]))
  }
}
