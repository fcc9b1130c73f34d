import Ink
import Screen
import Testing

@Suite struct LayoutTests {
  /// A 3.5" panel, a 7" one in both ways, a 10" one.
  static let glasses: [Point] = [
    Point(71, 53), Point(154, 86), Point(86, 154), Point(217, 136),
  ]

  /// Everything that a layout can have.
  static let parts: [LayoutParts] = [
    LayoutParts(), LayoutParts(undo: true, cancel: true, countdown: true),
    LayoutParts(undo: true, cancel: true, countdown: true, rightToLeft: true),
    LayoutParts(message: .understood), LayoutParts(message: .none, rightToLeft: true),
  ]

  @Test(arguments: glasses, parts)
  func `buttons are big enough for a finger and apart`(_ glass: Point, _ parts: LayoutParts) {
    let layout = Layout(width: glass.x, height: glass.y, parts: parts)
    for button in layout.buttons {
      let area = layout.area(of: button)
      #expect(min(area.size.x, area.size.y) >= Layout.smallestButton)
      #expect(area.origin.x >= 0 && area.end.x <= glass.x && area.end.y <= glass.y)
      #expect(layout.button(at: area.centre) == button)
      #expect(layout.signing.end.y <= area.origin.y)
      for other in layout.buttons where other != button {
        let next = layout.area(of: other)
        #expect(area.end.x + 1 < next.origin.x || next.end.x + 1 < area.origin.x)
      }
    }
  }

  @Test(arguments: glasses, parts)
  func `most of the glass is for signing, and the words lie apart`(
    _ glass: Point, _ parts: LayoutParts
  ) {
    let layout = Layout(width: glass.x, height: glass.y, parts: parts)
    #expect(layout.signing.size.x * layout.signing.size.y > 0.6 * glass.x * glass.y)
    #expect(layout.signing.contains(layout.line.left))
    #expect(layout.line.left.x < layout.line.right.x)
    #expect(layout.header.origin.x >= 0 && layout.header.end.x <= glass.x)
    if parts.countdown {
      let (a, b) = (layout.header, layout.countdown)
      #expect(a.end.x <= b.origin.x + 0.01 || b.end.x <= a.origin.x + 0.01)
      #expect(b.origin.x >= 0 && b.end.x <= glass.x)
    }
  }

  @Test(arguments: glasses) func `from right to left it is the mirror image`(_ glass: Point) {
    let parts = LayoutParts(undo: true, cancel: true, countdown: true)
    var mirrored = parts
    mirrored.rightToLeft = true
    let a = Layout(width: glass.x, height: glass.y, parts: parts)
    let b = Layout(width: glass.x, height: glass.y, parts: mirrored)
    for button in a.buttons {
      #expect(abs(a.area(of: button).origin.x - (glass.x - b.area(of: button).end.x)) < 0.001)
    }
    #expect(abs(a.cross.x - (glass.x - b.cross.x)) < 0.001)
    #expect(abs(a.line.left.x - (glass.x - b.line.right.x)) < 0.001)
    #expect(abs(a.header.origin.x - (glass.x - b.header.end.x)) < 0.001)
  }

  @Test func `a button that is not there cannot be pressed`() {
    let layout = Layout(width: 150, height: 90)
    #expect(layout.buttons == [.clear, .done])
    #expect(!layout.area(of: .cancel).contains(layout.area(of: .cancel).centre))
  }
}
