internal import Linux

/// The known word that a misspelt one probably stands for.
public enum Suggestion {
  /// " (did you mean 'sign'?)", or nothing where no word is near.
  public static func text(_ word: String, _ known: [String]) -> String {
    let found = nearest(to: word, in: known) ?? known.first { shareStem(word, $0) }
    return found.map { " (did you mean '\($0)'?)" } ?? ""
  }

  /// Whether both words begin with all but the last letter of the first one, such as "rotate" and "rotation".
  private static func shareStem(_ word: String, _ other: String) -> Bool {
    word.utf8.count >= 5 && other.utf8.starts(with: word.utf8.dropLast())
  }

  /// The known word with the fewest errors, at most one for every three characters.
  static func nearest(to word: String, in known: [String]) -> String? {
    var best: String?
    // A word that is longer than all others is no misspelling.
    guard word.utf8.count <= 64 else { return nil }
    var fewest = (word.utf8.drop { $0 == UInt8(ascii: "-") }.count + 2) / 3 + 1
    for candidate in known {
      let errors = distance(Array(word.utf8), Array(candidate.utf8))
      if errors < fewest { (best, fewest) = (candidate, errors) }
    }
    return best
  }

  /// The optimal string alignment distance: insertions, deletions, substitutions, and swaps of neighbours.
  static func distance(_ a: [UInt8], _ b: [UInt8]) -> Int {
    var before: [Int] = []
    var last = Array(0...b.count)
    for i in a.indices {
      var row = [i + 1]
      for j in b.indices {
        var least = min(last[j + 1] + 1, row[j] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
          least = min(least, before[j - 1] + 1)
        }
        row.append(least)
      }
      (before, last) = (last, row)
    }
    return last[b.count]
  }
}
