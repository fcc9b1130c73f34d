import CLinux
import Linux
import Testing

@testable import Display

@Suite struct HotplugWatchTests {
  private func hasChanges(_ watch: inout HotplugWatch) throws -> Bool {
    var poll = Poll()
    poll.add(watch.number)
    let isReady = try poll.wait(milliseconds: 10_000)
    #expect(isReady)
    return watch.readChanges()
  }

  @Test func `a node that comes, changes or goes is noticed`() throws {
    let dev = try TemporaryFolder()
    dev.folder("dri")
    var watch = try HotplugWatch(folder: "\(dev.path)/dri")
    let isQuiet = watch.readChanges()
    #expect(!isQuiet)
    try dev.file("dri/card0", "")
    let came = try hasChanges(&watch)
    chmod("\(dev.path)/dri/card0", 0o660)
    let changed = try hasChanges(&watch)
    unlink("\(dev.path)/dri/card0")
    let went = try hasChanges(&watch)
    #expect(came && changed && went)
    let isDone = watch.readChanges()
    #expect(!isDone)
  }

  @Test func `the folder itself may come with the first card, go, and come again`() throws {
    let dev = try TemporaryFolder()
    var watch = try HotplugWatch(folder: "\(dev.path)/dri")
    for _ in 0..<2 {
      dev.folder("dri")
      let isMade = try hasChanges(&watch)
      #expect(isMade)
      try dev.file("dri/card0", "")
      let came = try hasChanges(&watch)
      #expect(came)
      unlink("\(dev.path)/dri/card0")
      rmdir("\(dev.path)/dri")
      let went = try hasChanges(&watch)
      #expect(went)
    }
  }
}
