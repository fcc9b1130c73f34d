extension CellBuffer {
  /// Adds twelve parts of steps, the last four of which reach a column that sums have to reach.
  @inline(__always)
  func add(_ places: UnsafePointer<UInt32>, _ gains: UnsafePointer<UInt32>) {
    var part = 0
    while part < 8 {
      assert(unsafe places[part] < prepared)
      unsafe cells[Int(places[part])] &+= gains[part]
      part &+= 1
    }
    while part < 12 {
      let cell = unsafe Int(places[part])
      assert(cell < prepared)
      unsafe cells[cell] &+= gains[part]
      unsafe marks[cell &>> 4] = 1
      part &+= 1
    }
  }

  /// Lets the sums of a row reach a column.
  mutating func mark(column: Int, row: Int) {
    unsafe marks[(row &* columns &+ column) &>> 4] = 1
  }
}
