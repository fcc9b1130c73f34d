import Ink
import Pad
import Testing

@Suite struct LayoutTests {
  /// A 3.5" panel, a 7" one in both ways, a 10" one.
  static let glasses: [Point] = [
    Point(71, 53), Point(154, 86), Point(86, 154), Point(217, 136),
  ]

  @Test(arguments: glasses) func `buttons are big enough for a finger and apart`(_ glass: Point) {
    let layout = Layout(width: glass.x, height: glass.y)
    for button in Button.allCases {
      let area = layout.area(of: button)
      #expect(min(area.size.x, area.size.y) >= Layout.smallestButton)
      #expect(area.origin.x >= 0 && area.end.x <= glass.x && area.end.y <= glass.y)
      #expect(layout.button(at: area.centre) == button)
    }
    #expect(layout.clear.end.x < layout.done.origin.x)
    #expect(layout.signing.end.y <= layout.clear.origin.y)
  }

  @Test(arguments: glasses) func `most of the glass is for signing`(_ glass: Point) {
    let layout = Layout(width: glass.x, height: glass.y)
    #expect(layout.signing.size.x * layout.signing.size.y > 0.6 * glass.x * glass.y)
    #expect(layout.signing.contains(layout.line.left))
    #expect(layout.line.left.x < layout.line.right.x)
  }
}
