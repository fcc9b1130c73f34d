import Glibc

/// paraph-web, its mirrors, and ink on a page's canvas.
extension Bench {
  /// Whether the pad and paraph-web are there to be measured.
  private func hasPrograms(_ part: String, _ report: inout Report) -> Bool {
    for name in ["paraphd", "paraph-web"] where access(Script.programs + name, X_OK) != 0 {
      report.skip("\(part): \(Script.programs)\(name) is not built")
      return false
    }
    return true
  }

  /// Measures paraph-web while nobody uses it. It ends by itself after a minute.
  func measureWeb(_ report: inout Report) {
    guard hasPrograms("web", &report) else { return }
    let rest = Script(name: "web_rest.py").numbers("5")
    guard rest.count == 3 else { return report.skip("web: paraph-web at rest") }
    // Pages of files come and go with the kernel's cache: from one run to the next by 3 MB.
    report.add("web: private memory at rest, without pages of files", rest[0], "MB", target: 3)
    report.add("web: with those that no other program has mapped", rest[1], "MB")
    report.add("web: wake-ups in 5 s at rest", rest[2], "", target: 0)
  }

  /// From a sample's stamp to the mirror's canvas in Chromium; and the pad's own ink beside 100 mirrors.
  func measureMirror(_ report: inout Report) {
    guard hasPrograms("mirror", &report) else { return }
    let times = Script(name: "mirror.py", package: Script.browser).numbers("10")
    if times.count == 5 {
      report.add("mirror: stamp to its canvas p50", times[0], "ms")
      report.add("mirror: stamp to its canvas p99", times[1], "ms", target: 50)
      report.add("mirror: the longest of \(Int(times[4])) samples", times[2], "ms")
      report.add("mirror: stamp to the browser's next frame p99", times[3], "ms")
    } else {
      report.skip("mirror: stamp to its canvas")
    }
    // Runs vary: ten pairs of them tell a fifth more from chance.
    let mirrors = Script(name: "mirrors.py").numbers("10", "4")
    guard mirrors.count == 5, mirrors[0] > 0 else {
      return report.skip("mirror: the pad's ink beside 100 mirrors")
    }
    report.add("mirror: pad's stamp to pixels p99, no mirror", mirrors[0], "µs")
    report.add("mirror: samples that 100 mirrors got", mirrors[4], "")
    let name = "mirror: pad's stamp to pixels p99, 100 mirrors"
    report.add(name, mirrors[1] / mirrors[0], against: "no mirror")
    report.add(name + ", 95 % interval from", mirrors[2], against: "no mirror")
    report.add(name + ", 95 % interval to", mirrors[3], against: "no mirror", target: 1.2)
  }

  /// Ink of a page's own canvas, beside signature_pad's in the same browser.
  func measureCanvas(_ report: inout Report) {
    let figures = Script(name: "canvas.py", package: Script.browser).numbers()
    // Per density: ours for data and events, events alone; theirs, and the ratios.
    let hasPeer = figures.count == 14
    guard hasPeer || figures.count == 6 else { return report.skip("canvas") }
    for (density, start) in [(1, 0), (2, figures.count / 2)] {
      let (data, events) = (
        "canvas at \(density)×: a signature's data", "canvas at \(density)×: pointer events"
      )
      report.add(data, figures[start], "ns/sample")
      if hasPeer {
        report.add("\(data) by signature_pad", figures[start + 3], "ns/sample")
        report.add(data, figures[start + 5], against: "signature_pad", target: 0.5)
      }
      report.add("\(events) that nobody draws", figures[start + 2], "µs/segment")
      report.add(events, figures[start + 1], "µs/segment")
      guard hasPeer else { continue }
      report.add("\(events) by signature_pad", figures[start + 4], "µs/segment")
      report.add(
        "\(events), drawing alone", figures[start + 6], against: "signature_pad", target: 0.5)
    }
    if !hasPeer {
      report.skip("canvas / signature_pad: SIGNATURE_PAD names no folder with a copy of it")
    }
  }
}
