import AllocationCount
import Testing

@testable import Ink

@Suite struct RigidArrayTests {
  @Test func `appending within the reserved capacity allocates nothing`() {
    // 64 MiB.
    var array = RigidArray<Int64>(capacity: 1 << 23)
    func held(_ array: borrowing RigidArray<Int64>) -> Int {
      held_pages(array.storage, 8 << 23)
    }
    #expect(held(array) < 8)
    var waited = 0
    for index in 0..<1 << 14 {
      if index % 100 == 0 { array.prefault(lookahead: 128) }
      // A page for 512 elements: asking takes longer than appending.
      guard index % 64 == 0 else { array.append(Int64(index)); continue }
      let before = held(array)
      array.append(Int64(index))
      waited += held(array) - before
    }
    #expect(waited == 0)
    #expect(held(array) >= 32)
  }

  @Test func `a full array does not grow`() {
    var array = RigidArray<Int32>(capacity: 3)
    for number in 1...3 { array.append(Int32(number)) }
    array.prefault(lookahead: 128)
    #expect(array[0] == 1 && array[1] == 2 && array[2] == 3)
  }

  /// An array with as many elements, up to 4.
  private static func array(of count: Int32) -> RigidArray<Int32> {
    var array = RigidArray<Int32>(capacity: 4)
    for number in 0..<count { array.append(number) }
    return array
  }

  private static func read(_ index: Int, of count: Int32) { print(array(of: count)[index]) }

  private static func replace(_ index: Int, of count: Int32) {
    var array = array(of: count)
    array[index] = 1
  }

  // The closures capture nothing: Swift Testing of 6.2 cannot hand values to another process.
  @Test func `reading or replacing an element that is not there ends the program`() async {
    await #expect(processExitsWith: .failure) { Self.read(-1, of: 2) }
    await #expect(processExitsWith: .failure) { Self.read(0, of: 0) }
    await #expect(processExitsWith: .failure) { Self.read(2, of: 2) }
    await #expect(processExitsWith: .failure) { Self.replace(-1, of: 2) }
    await #expect(processExitsWith: .failure) { Self.replace(0, of: 0) }
    await #expect(processExitsWith: .failure) { Self.replace(2, of: 2) }
  }

  @Test func `each element is replaced by itself`() {
    var array = RigidArray<Int32>(capacity: 3)
    for number in 1...3 { array.append(Int32(number)) }
    for index in 0..<3 { array[index] *= 10 }
    #expect(array[0] == 10 && array[1] == 20 && array[2] == 30)
  }

  @Test func `the last element and those beyond a count are removed`() {
    var array = RigidArray<Int32>(capacity: 4)
    for number in 1...3 { array.append(Int32(number)) }
    array.removeLast()
    #expect(array.count == 2)
    array.append(4)
    #expect(array[1] == 2 && array[2] == 4)
    array.truncate(to: 1)
    #expect(array.count == 1 && array[0] == 1)
    array.truncate(to: 0)
    #expect(array.count == 0)
  }
}
