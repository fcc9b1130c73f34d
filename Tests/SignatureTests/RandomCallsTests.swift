import Foundation
import Ink
import Raster
import Signature
import SyntheticHand
import Testing

/// Random sequences of public calls. Writes outside an object's memory are seen by the address sanitizer
/// (`make sanitize`); without it only those that trap or end the program are.
@Suite struct RandomCallsTests {
  static let seeds: ClosedRange<UInt64> =
    ProcessInfo.processInfo.environment["PARAPH_SOAK"] == nil ? 1...8 : 1...16

  @Test(arguments: seeds) func `paths, masks and layers of ink`(seed: UInt64) {
    var caller = RandomCaller(seed: seed)
    for _ in 0..<200 { caller.callRaster() }
  }

  @Test(arguments: seeds) func `canvases and their grounds`(seed: UInt64) {
    var caller = RandomCaller(seed: seed)
    for _ in 0..<200 { caller.callCanvas() }
  }

  @Test(arguments: seeds) func `models, stores and drawings`(seed: UInt64) {
    var caller = RandomCaller(seed: seed)
    for _ in 0..<200 { caller.callModel() }
  }
}
