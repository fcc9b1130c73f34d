extension Couplet {
  @inline(__always)
  func drawFirst(into ink: inout RigidArray<Segment>) {
    if firstIsGentle { ink.append(first) } else { first.appendHalves(to: &ink) }
  }

  @inline(__always)
  func drawSecond(into ink: inout RigidArray<Segment>) {
    if secondIsGentle { ink.append(second) } else { second.appendHalves(to: &ink) }
  }
}
