#if DEBUG
  import Ink
  import RasterFixtures

  @testable import Raster

  /// Ink and its pixels.
  extension FuzzTarget {
    static let drawings = [
      FuzzTarget(name: "ink", run: ink),
      FuzzTarget(name: "hand", run: hand),
      FuzzTarget(name: "fill", run: fill),
      FuzzTarget(name: "clip", run: clip),
    ]

    /// Any numbers as samples.
    @Sendable private static func ink(_ bytes: [UInt8]) -> String? {
      var bytes = FuzzBytes(bytes)
      let kind = StrokeModel.Kind.allCases[Int(bytes.byte() & 3)]
      let prediction = Int64(bytes.byte()) * 100_000
      var samples: [Sample] = []
      while !bytes.isEmpty && samples.count < 500 {
        samples.append(
          Sample(
            time: Int64(bitPattern: bytes.long()),
            position: Point(Float(bitPattern: bytes.word()), Float(bitPattern: bytes.word())),
            pressure: Float(bitPattern: bytes.word())))
      }
      return DrawnFuzz([Stroke(samples)], kind, prediction: prediction).fault
    }

    /// A hand on a panel, at any report rate: the ink also stays within its samples' extent.
    @Sendable private static func hand(_ bytes: [UInt8]) -> String? {
      var bytes = FuzzBytes(bytes)
      let interval = 1_000_000 + Int64(bytes.byte()) * 100_000
      let reach = 0.1 + 20 * bytes.fraction()
      var (time, place) = (Int64(0), Point(75, 40))
      var samples: [Sample] = []
      while !bytes.isEmpty && samples.count < 500 {
        samples.append(Sample(time: time, position: place, pressure: bytes.fraction()))
        time += interval + Int64(bytes.byte() & 15) * 100_000
        place += (Point(bytes.fraction(), bytes.fraction()) - Point(0.5, 0.5)) * reach
      }
      for kind in StrokeModel.Kind.allCases {
        if let fault = DrawnFuzz([Stroke(samples)], kind).fault { return fault }
      }
      guard let first = samples.first else { return nil }
      var (low, high) = (first.position, first.position)
      for sample in samples {
        low = pointwiseMin(low, sample.position)
        high = pointwiseMax(high, sample.position)
      }
      // A spline bends past its knots by less than a step.
      let margin = WidthLaw.standard.widest + reach
      var model = StrokeModel(.ductus)
      var ink = StrokeInk()
      var path = Path(capacity: 1 << 12)
      for (index, sample) in samples.enumerated() {
        index == 0 ? model.begin(at: sample, into: &ink) : model.extend(to: sample, into: &ink)
        path.removeAll()
        StrokeModel.outline(of: ink.finalised, by: .ductus, into: &path)
        ink.finalised.removeAll()
        for place in path.points.indices {
          let point = path.points[place]
          if any(point .< low - margin) || any(point .> high + margin) {
            return "sample \(index): ink at \(point), outside \(low)…\(high)"
          }
        }
      }
      return nil
    }

    /// Triangles are as dark as their area.
    @Sendable private static func fill(_ bytes: [UInt8]) -> String? {
      var bytes = FuzzBytes(bytes)
      let scale = Scale(x: 0.5 + 10 * bytes.fraction(), y: 0.5 + 10 * bytes.fraction())
      let side: Float = 64
      func point() -> Point {
        (Point(bytes.fraction(), bytes.fraction()) * 1.5 - 0.25) * side / Point(scale.x, scale.y)
      }
      var path = Path()
      path.move(to: point())
      path.line(to: point())
      path.line(to: point())
      var mask = Coverage(width: Int(side), height: Int(side))
      var reference = ReferenceFill(width: mask.width, height: mask.height)
      var rasteriser = Rasteriser()
      _ = rasteriser.add(path, scale: scale, to: &mask)
      reference.add(path, scale: scale)
      let expected = reference.coverage()
      for y in 0..<mask.height {
        for x in 0..<mask.width {
          let difference = abs(Double(mask[x, y]) - expected[y * mask.width + x])
          // Lines of samples are a 64th of a pixel apart.
          if difference > 8 { return "pixel \(x), \(y) differs by \(difference)" }
        }
      }
      return nil
    }

    /// An outline is clipped to the raster as if it were cut out of a larger one.
    @Sendable private static func clip(_ bytes: [UInt8]) -> String? {
      var bytes = FuzzBytes(bytes)
      func point() -> Point { Point(bytes.fraction(), bytes.fraction()) * 160 - 30 }
      var path = Path()
      var edges = 0
      path.move(to: point())
      while !bytes.isEmpty && edges < 40 {
        edges += 1
        switch bytes.byte() & 7 {
        case 0...2: path.line(to: point())
        case 3, 4: path.quad(point(), to: point())
        case 5, 6: path.cubic(point(), point(), to: point())
        default: path.move(to: point())
        }
      }
      let one = Scale(x: 1, y: 1)
      var rasteriser = Rasteriser()
      var whole = Coverage(width: 240, height: 240)
      _ = rasteriser.add(path, scale: one, offset: SIMD2(64, 64), to: &whole)
      var part = Coverage(width: 100, height: 99)
      let rect = rasteriser.add(path, scale: one, to: &part)
      for y in 0..<part.height {
        for x in 0..<part.width {
          if abs(Int(part[x, y]) - Int(whole[x + 64, y + 64])) > 1 { return "pixel \(x), \(y)" }
          let isInside =
            x >= Int(rect.x0) && x < Int(rect.x1) && y >= Int(rect.y0) && y < Int(rect.y1)
          if part[x, y] > 0 && !isInside { return "ink at \(x), \(y) outside \(rect)" }
        }
      }
      // Any scale and any coordinates.
      var wild = Path()
      wild.move(to: Point(Float(bitPattern: bytes.word()), Float(bitPattern: bytes.word())))
      for _ in 0..<4 {
        wild.line(to: Point(Float(bitPattern: bytes.word()), Float(bitPattern: bytes.word())))
      }
      _ = rasteriser.add(wild, scale: one, to: &part)
      return nil
    }
  }
#endif
