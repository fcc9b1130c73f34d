/// What lies under the ink: one colour, and a picture in the tiles that were painted on.
@safe @usableFromInline struct Ground: ~Copyable {
  static let tileArea = 1024

  private(set) var colour: UInt32
  let columns: Int
  let rows: Int
  private let painted: UnsafeMutablePointer<Bool>
  private let colours: UnsafeMutablePointer<UInt32>
  /// What plain ground is; read through `lent`.
  private let plain: UnsafeMutablePointer<UInt32>

  init(width: Int, height: Int, colour: UInt32) {
    self.colour = colour
    columns = (width + 31) / 32
    rows = (height + 31) / 32
    unsafe painted = .allocate(capacity: columns * rows)
    unsafe painted.initialize(repeating: false, count: columns * rows)
    // Used only where something is painted; the kernel gives the pages when they are first written.
    unsafe colours = .allocate(capacity: columns * rows * Ground.tileArea)
    unsafe plain = .allocate(capacity: 1)
    unsafe plain.initialize(to: colour)
  }

  @usableFromInline deinit {
    unsafe painted.deallocate()
    unsafe colours.deallocate()
    unsafe plain.deallocate()
  }

  var lent: Lent {
    unsafe Lent(columns: columns, colour: colour, painted: painted, colours: colours)
  }

  mutating func fill(_ colour: UInt32) {
    self.colour = colour
    unsafe painted.update(repeating: false, count: columns * rows)
  }

  mutating func fill(_ rect: PixelRect, _ colour: UInt32) {
    let lent = self.lent
    for y in Int(rect.y0)..<Int(rect.y1) {
      for x in Int(rect.x0)..<Int(rect.x1) {
        let index = y / 32 * columns + x / 32
        lent.prepare(index)
        unsafe colours[index * Ground.tileArea + y % 32 * 32 + x % 32] = colour
      }
    }
  }

  /// The ground without its ownership.
  @safe struct Lent {
    let columns: Int
    let colour: UInt32
    let painted: UnsafeMutablePointer<Bool>
    let colours: UnsafeMutablePointer<UInt32>

    @inline(__always)
    func prepare(_ index: Int) {
      guard unsafe !painted[index] else { return }
      unsafe painted[index] = true
      unsafe (colours + index * Ground.tileArea).update(repeating: colour, count: Ground.tileArea)
    }

    func blend(_ colour: UInt32, _ coverage: SIMD16<UInt8>, _ x: Int32, _ y: Int32) {
      let index = Int(y >> 5) * columns + Int(x >> 5)
      prepare(index)
      let place = unsafe colours + (index * Ground.tileArea + Int((y & 31) * 32 + (x & 31)))
      for lane in 0..<16 {
        unsafe place[lane] = InkPalette.blend(place[lane], colour, UInt32(coverage[lane]))
      }
    }
  }
}
