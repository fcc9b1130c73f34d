extension UdevProperties {
  /// What udev's rules found out about a node, from udev's database; none where there is no udev.
  public init(of path: String) { self = EventNodes.properties(of: path) }
}
