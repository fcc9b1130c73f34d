extension Array {
  /// In an order; equals stay as they are. For few elements, or such as stand nearly so: the library's sort is made
  /// for many, and is more than a kilobyte of program for every type.
  public func inOrder(by isBefore: (Element, Element) -> Bool) -> [Element] {
    var ordered: [Element] = []
    ordered.reserveCapacity(count)
    for element in self {
      var place = ordered.count
      while place > 0, isBefore(element, ordered[place - 1]) { place -= 1 }
      ordered.insert(element, at: place)
    }
    return ordered
  }
}
