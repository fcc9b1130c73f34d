// swift-tools-version: 6.2
import PackageDescription

/// A library of Debian's; where its .pc file is missing, `Peers` compiles without it.
func library(_ name: String, _ pkgConfig: String, _ package: String) -> Target {
  .systemLibrary(name: name, pkgConfig: pkgConfig, providers: [.apt([package])])
}

let package = Package(
  name: "bench",
  dependencies: [.package(name: "paraph", path: "../..")],
  targets: [
    library("CAGG", "libagg", "libagg-dev"),
    library("CFreeType", "freetype2", "libfreetype-dev"),
    library("CCairo", "cairo", "libcairo2-dev"),
    library("PeerLibpng", "libpng", "libpng-dev"),
    .target(name: "Peers", dependencies: ["CAGG", "CFreeType", "CCairo", "PeerLibpng"]),
    .target(name: "CArithmetic"),
    .systemLibrary(name: "CCores"),
    .systemLibrary(name: "CCallgrind"),
    // The tests' own counter, by a link.
    .target(name: "Allocations"),
    .executableTarget(
      name: "Bench",
      dependencies: [
        "Peers", "CArithmetic", "CCores", "CCallgrind", "Allocations",
        .product(name: "ParaphInk", package: "paraph"),
      ]),
  ],
  swiftLanguageModes: [.v6],
  cxxLanguageStandard: .cxx17
)
