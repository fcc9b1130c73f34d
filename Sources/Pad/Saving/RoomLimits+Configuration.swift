public import Configuration
public import Spool

extension RoomLimits {
  /// What the configuration asks for.
  public init(_ wishes: SpoolConfiguration) {
    self.init(
      minimumFree: wishes.minimumFree, maximumItems: wishes.maximumItems,
      maximumBytes: wishes.maximumBytes)
  }
}
