/// What a step is of its edge: 1/n, and the half and the sixth of its square.
///
/// Two divisions and a conversion, one after another, take as long as a dozen steps; of small numbers they are
/// known before.
struct StepShare: BitwiseCopyable {
  let first, half, sixth: Float

  init(of steps: Int) {
    first = 1 / Float(steps)
    half = first * first / 2
    sixth = first * first / 6
  }
}
