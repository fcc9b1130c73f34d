import CLinux
import FuzzTargets
import Linux
import Testing

// The targets are in debug builds only.
#if DEBUG
  /// Each file of the corpora is a seed of `make fuzz`, or an input that once broke its target.
  @Suite struct CorpusTests {
    static let folder =
      #filePath.split(separator: "/").dropLast(2).reduce("") { "\($0)/\($1)" }
      + "/Fuzz/Corpus"

    @Test(arguments: FuzzTarget.all.map { $0.name })
    func `a target takes all of its corpus`(name: String) throws {
      let target = try #require(FuzzTarget.named(name))
      let names = try Folder.names(of: "\(Self.folder)/\(name)")
      #expect(!names.isEmpty)
      for file in names {
        let bytes = try #require(
          Folder.content(of: "\(Self.folder)/\(name)/\(file)", limit: 1 << 20))
        #expect(target.run(bytes) == nil, "\(name)/\(file)")
      }
    }

    @Test func `every corpus has a target`() throws {
      #expect(
        try Set(Folder.names(of: Self.folder)) == Set(FuzzTarget.all.map { $0.name }))
    }
  }
#endif
