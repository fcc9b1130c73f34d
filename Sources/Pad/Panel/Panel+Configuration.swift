public import Configuration
public import Display

extension Panel {
  /// The panel that a configuration asks for, opened.
  public init(_ wishes: DisplayConfiguration) throws(DisplayError) {
    self = try PanelSource(wishes).open()
  }
}
