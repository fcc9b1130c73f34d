extension CellBuffer {
  /// Adds the parts of steps, in groups of four steps: twelve parts.
  mutating func add(
    _ places: UnsafePointer<UInt32>, _ gains: UnsafePointer<UInt32>, groups: Int
  ) {
    let cells = unsafe self.cells
    let marks = unsafe self.marks
    var place = unsafe places
    var gain = unsafe gains
    var left = groups
    while left > 0 {
      var part = 0
      while part < 8 {
        assert(unsafe place[part] < prepared)
        unsafe cells[Int(place[part])] &+= gain[part]
        part &+= 1
      }
      while part < 12 {
        let cell = unsafe Int(place[part])
        assert(cell < prepared)
        unsafe cells[cell] &+= gain[part]
        unsafe marks[cell &>> 3] = 1
        part &+= 1
      }
      unsafe place += 12
      unsafe gain += 12
      left &-= 1
    }
  }
}

extension CellBuffer {
  /// Lets the sums of a row reach a column.
  mutating func mark(column: Int, row: Int) {
    unsafe marks[(row &* columns &+ column) &>> 3] = 1
  }
}
