extension Stroke {
  /// How far the hand went, in millimetres, from sample to sample; a gap does not count.
  public var length: Float {
    var length: Float = 0
    for index in samples.indices.dropFirst() where !gaps.contains(index) {
      length += (samples[index].position - samples[index - 1].position).length
    }
    return length
  }
}
