public import Configuration
public import Spool

extension SpoolLimits {
  /// What the configuration asks for.
  public init(_ wishes: SpoolConfiguration) {
    self.init(
      minimumFree: wishes.minimumFree, maximumItems: wishes.maximumItems,
      maximumBytes: wishes.maximumBytes)
  }
}
