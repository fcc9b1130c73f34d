import Testing

@testable import Configuration

@Suite struct TouchConfigurationTests {
  func touch(_ text: String) throws(ConfigurationError) -> TouchConfiguration {
    try PadConfiguration("[touch]\n" + text, file: "f", models: []).touch
  }

  @Test(arguments: [
    ("auto", TouchConfiguration.Device.automatic),
    ("/dev/input/event3", .path("/dev/input/event3")),
    ("EP0430M09", .name("EP0430M09")), ("a=b", .name("a=b")),
    ("property:ID_PATH=platform-1.i2c", .property("ID_PATH", "platform-1.i2c")),
    ("property:A=b=c d", .property("A", "b=c d")),
  ]) func `a device is chosen by node, name or property`(
    text: String, device: TouchConfiguration.Device
  ) throws {
    #expect(try touch("device = \(text)").device == device)
  }

  @Test func `the size of a palm is in device units, and none unless it is given`() throws {
    #expect(try touch("palm-size = 40").filters.palmSize == 40)
    #expect(try touch("").filters.palmSize == nil)
  }

  @Test func `tslib's filters reach their fields`() throws {
    let filters = try touch(
      "debounce = drop_threshold=20\npthres = pmin=1 pmax=250\nskip = ntail=2  nhead=1\nmedian = depth=5"
    ).filters
    #expect(filters.dropThreshold == 20)
    #expect(filters.leastPressure == 1 && filters.greatestPressure == 250)
    #expect(filters.skipHead == 1 && filters.skipTail == 2)
    #expect(filters.medianDepth == 5)
    #expect(try touch("pthres = pmin=1").filters.greatestPressure == nil)
  }

  @Test(arguments: [
    ("device = property:ID_PATH", "device: must be property:NAME=VALUE, not \"property:ID_PATH\""),
    ("median = 3", "median: must be of depth=NUMBER, not \"3\""),
    ("median = depth=10", "median: depth must be a whole number from 1 to 9, not \"10\""),
    ("skip = nhead=1 nhead=2", "skip: duplicate parameter nhead"),
    ("skip = nhead=9", "skip: nhead must be a whole number from 0 to 8, not \"9\""),
    ("skip = ntail=9", "skip: ntail must be a whole number from 0 to 8, not \"9\""),
    ("pthres = pmin=x", "pthres: pmin must be a whole number from 0 to 2147483647, not \"x\""),
    ("palm-size = +5", "palm-size: must be a whole number from 0 to 2147483647, not \"+5\""),
    ("palm-size = big", "palm-size: must be a whole number from 0 to 2147483647, not \"big\""),
    ("pthres = min=3", "pthres: must be of pmax=NUMBER, pmin=NUMBER, not \"min=3\""),
  ]) func `invalid settings are reported`(text: String, reason: String) {
    do throws(ConfigurationError) {
      _ = try touch(text)
      Issue.record("was taken")
    } catch { #expect(error.lines == ["f:2: [touch] \(reason)"]) }
  }
}
