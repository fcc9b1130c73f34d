import CLinux
import Linux
import Testing

@testable import Display

@Suite struct HotplugWatchTests {
  private func isTold(_ watch: inout HotplugWatch) throws -> Bool {
    var poll = Poll()
    poll.add(watch.number)
    let isReady = try poll.wait(milliseconds: 10_000)
    #expect(isReady)
    return watch.take()
  }

  @Test func `a node that comes, changes or goes is noticed`() throws {
    let dev = try TemporaryFolder()
    dev.folder("dri")
    var watch = try HotplugWatch(folder: "\(dev.path)/dri")
    let isQuiet = watch.take()
    #expect(!isQuiet)
    try dev.file("dri/card0", "")
    let came = try isTold(&watch)
    chmod("\(dev.path)/dri/card0", 0o660)
    let changed = try isTold(&watch)
    unlink("\(dev.path)/dri/card0")
    let went = try isTold(&watch)
    #expect(came && changed && went)
    let isDone = watch.take()
    #expect(!isDone)
  }

  @Test func `the folder itself may come with the first card, go, and come again`() throws {
    let dev = try TemporaryFolder()
    var watch = try HotplugWatch(folder: "\(dev.path)/dri")
    for _ in 0..<2 {
      dev.folder("dri")
      let isMade = try isTold(&watch)
      #expect(isMade)
      try dev.file("dri/card0", "")
      let came = try isTold(&watch)
      #expect(came)
      unlink("\(dev.path)/dri/card0")
      rmdir("\(dev.path)/dri")
      let went = try isTold(&watch)
      #expect(went)
    }
  }
}
