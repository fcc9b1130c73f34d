#if DEBUG
  import SyntheticHand

  /// How a machine is configured, and what may happen to it.
  struct Setting {
    /// paraphd.conf.
    let pad: String
    /// paraph-handoff.conf.
    let handoff: String
    /// Redrawing some ink, or delivering some item, ends the program.
    let hasPoison: Bool
    /// paraph-handoff counts its crashes in memory; false: in the spool.
    let hasRuntimeDirectory: Bool
    /// The size of the disk, in bytes.
    let capacity: Int
    /// The record of the chain is damaged; false: the counter of signatures.
    let damagesChain: Bool

    /// A pad that many persons sign on, and nothing wears out.
    static let busy = Setting()

    private init() {
      (hasPoison, hasRuntimeDirectory, damagesChain, capacity) = (false, true, false, 1 << 22)
      (pad, handoff) = Self.files(invites: true, isFine: false, "", "retain = 10min\n")
    }

    init(_ random: inout SeededRandom) {
      func chance(_ one: Int, in all: Int) -> Bool { Int.random(in: 0..<all, using: &random) < one }
      hasPoison = chance(1, in: 4)
      hasRuntimeDirectory = chance(1, in: 2)
      capacity = chance(1, in: 2) ? 1 << 20 : 1 << 18
      damagesChain = chance(1, in: 2)
      let invites = chance(2, in: 3)
      // Now and then too fine for the glass.
      let isFine = chance(1, in: 40)
      let limit = chance(1, in: 6) ? "maximum-items = 8\n" : ""
      let retain = chance(1, in: 3) ? "retain = 10min\n" : ""
      (pad, handoff) = Self.files(invites: invites, isFine: isFine, limit, retain)
    }

    /// paraphd.conf and paraph-handoff.conf.
    private static func files(
      invites: Bool, isFine: Bool, _ limit: String, _ retain: String
    ) -> (pad: String, handoff: String) {
      let pad = """
        [spool]
        path = /spool
        minimum-free = 32K
        \(limit)[signature]
        dpi = \(isFine ? 2400 : 50)
        trim = \(isFine ? "no" : "yes")
        [pad]
        invite = \(invites ? "always" : "request")
        undo = yes
        abandon-after = 2min

        """
      let handoff = """
        [spool]
        path = /spool
        [handoff]
        \(retain)pad = none
        [sink a]
        type = directory
        path = /a
        [sink b]
        type = directory
        path = /b

        """
      return (pad, handoff)
    }
  }
#endif
