// swift-tools-version: 6.2
import PackageDescription

// The library of 6.2 calls fewer of its declarations unsafe, and its compiler would warn of each mark that
// the next one asks for.
#if compiler(>=6.3)
  let strictness: [SwiftSetting] = [.treatAllWarnings(as: .error)]
  let embedded: [SwiftSetting] = [.treatWarning("EmbeddedRestrictions", as: .error)]
#else
  let strictness: [SwiftSetting] = []
  let embedded: [SwiftSetting] = []
#endif

/// Every target: Swift 6 mode, marked unsafety, no warnings.
let house: [SwiftSetting] =
  strictness + [
    .strictMemorySafety(),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    // Spans that a noncopyable owner lends (SE-0446 has no other spelling yet).
    .enableExperimentalFeature("Lifetimes"),
  ]

/// Flags of debug builds. Older package managers refuse to depend on a target with unsafe flags, as `ParaphInk`'s would
/// be.
func debug(_ flags: String...) -> [SwiftSetting] {
  #if compiler(>=6.3)
    [.unsafeFlags(flags, .when(configuration: .debug))]
  #else
    []
  #endif
}

/// One compiler reads a module's sources once: a build of the tests takes a seventh less of the processor's time. An object
/// per source, as the package manager expects, takes a number of threads. Batch mode, which it asks for, divides modules.
/// The same job writes the module's file. The usual second job checks the sources and expands the macros again: two fifths
/// of a test module's time.
let whole = debug(
  "-wmo", "-num-threads", "1", "-disable-batch-mode", "-no-emit-module-separately-wmo")

/// Optimised in debug builds too, with assertions: unoptimised, the unit tests take twice the processor's time.
let fast = whole + debug("-O", "-assert-config", "Debug")

/// What the daemons link stays inside the Embedded Swift subset; `make embedded` has the last word.
let boardSettings: [SwiftSetting] = house + embedded

/// What runs at the start or a few times a signature is made small rather than fast, and the linker keeps
/// only those functions that a program uses. Not for what `ParaphInk` holds.
let smallSettings: [SwiftSetting] =
  boardSettings + [
    .unsafeFlags(
      ["-Osize", "-Xfrontend", "-function-sections", "-Xfrontend", "-internalize-at-link"],
      .when(configuration: .release))
  ]

/// The Swift library is linked into the programs, and nothing is loaded into them: what it exports is
/// 0.9 MB of names and relocations that every start reads. The C++ library, which only the Swift library
/// needs, would be a megabyte of resident memory. Relative relocations take glibc 2.36.
let linker: [LinkerSetting] = [
  .unsafeFlags(
    [
      "-use-ld=lld", "-Xlinker", "--icf=all", "-Xlinker", "--no-export-dynamic",
      "-Xlinker", "-z", "-Xlinker", "pack-relative-relocs", "-Xlinker", "-z", "-Xlinker", "now",
      "-L", "\(Context.packageDirectory)/Sources/static", "-Xclang-linker", "-static-libgcc",
    ], .when(configuration: .release))
]

/// Swift Testing's macros expand to code that is not marked for strict memory safety.
let testSettings: [SwiftSetting] =
  whole + [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
  ]

/// The system calls that the simulation's machine answers.
let redirected = [
  "open", "openat", "close", "read", "write", "fsync", "ftruncate", "fstat", "fstatat", "fstatvfs",
  "mkdir", "mkdirat", "unlinkat", "renameat", "syscall", "faccessat", "fchmod", "flock", "opendir",
  "fdopendir", "readdir", "closedir", "clock_gettime", "adjtimex", "getrandom", "poll",
  "inotify_init1", "inotify_add_watch", "inotify_rm_watch", "eventfd",
].flatMap { ["-Xlinker", "--wrap=\($0)"] }

func board(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: boardSettings + fast)
}

func small(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: smallSettings + fast)
}

/// Not optimised for tests, which spend little time in it: it takes a half to two thirds less of the processor's time to
/// compile.
func plain(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: smallSettings + whole)
}

func program(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .executableTarget(
    name: name, dependencies: dependencies, swiftSettings: smallSettings + fast,
    linkerSettings: linker)
}

func test(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .testTarget(name: name, dependencies: dependencies, swiftSettings: testSettings)
}

func library(_ name: String, _ pkgConfig: String, _ package: String) -> Target {
  .systemLibrary(name: name, pkgConfig: pkgConfig, providers: [.apt([package])])
}

// One array for all is too much for the type checker of 6.2.

/// C libraries.
let libraries: [Target] = [
  .systemLibrary(name: "CLinux"),
  // Arithmetic on ARM.
  .systemLibrary(name: "CSIMD"),
  library("CLibevdev", "libevdev", "libevdev-dev"),
  library("CLibdrm", "libdrm", "libdrm-dev"),
  library("CLibpng", "libpng", "libpng-dev"),
  library("CLibjansson", "jansson", "libjansson-dev"),
  library("CLibnettle", "nettle", "nettle-dev"),
  library("CLibfreetype", "freetype2", "libfreetype-dev"),
  library("CLibharfbuzz", "harfbuzz", "libharfbuzz-dev"),
  library("CLibraqm", "raqm", "libraqm-dev"),
  library("CLibunibreak", "libunibreak", "libunibreak-dev"),
  library("CLibcurl", "libcurl", "libcurl4-openssl-dev"),
  library("CLibmosquitto", "libmosquitto", "libmosquitto-dev"),
  library("CLibyaml", "yaml-0.1", "libyaml-dev"),
  // TCP sockets.
  .systemLibrary(name: "CNetwork"),
  library("CLibmicrohttpd", "libmicrohttpd", "libmicrohttpd-dev"),
  library("CLibcrypto", "libcrypto", "libssl-dev"),
  .target(name: "CPNG", dependencies: ["CLibpng"]),
]

/// The modules of the programs.
let modules: [Target] = [
  board("Linux", ["CLinux"]),
  // The protocol of paraph-seal.
  plain("Seal"),
  // Its caller's side: a process of paraph-seal for each request.
  plain("SealClient", ["Seal", "Linux", "CLinux"]),
  // Random delays before another attempt.
  plain("Retry"),
  // Digests and encodings.
  plain("Nettle", ["CLibnettle"]),
  // Square roots without optimisation, and Screen's powers and sines.
  .target(
    name: "Ink", dependencies: ["CSIMD"], swiftSettings: boardSettings + fast,
    linkerSettings: [.linkedLibrary("m")]),
  board("Raster", ["Ink", "CSIMD"]),
  board("Signature", ["Ink", "Raster"]),
  plain("Touch", ["Ink", "Linux", "CLinux", "CLibevdev", "CLibyaml"]),
  small("Display", ["Raster", "Linux", "CLinux", "CLibdrm"]),
  board("PNG", ["Raster", "CPNG"]),
  small(
    "Text",
    ["Ink", "Linux", "CLinux", "CLibfreetype", "CLibharfbuzz", "CLibraqm", "CLibunibreak"]),
  plain("JSON", ["CLinux", "CLibjansson"]),
  // The client's side of Varlink.
  plain("Client", ["JSON", "Nettle", "Linux", "CLinux"]),
  plain("Commands", ["Linux", "CLinux"]),
  plain("Configuration", ["Commands", "Nettle", "Linux", "CLinux"]),
  plain("Spool", ["Ink", "JSON", "Nettle", "Linux", "CLinux"]),
  plain("Control", ["Spool", "Ink", "JSON", "Nettle", "Linux", "CLinux"]),
  plain(
    "Handoff",
    [
      "Spool", "Configuration", "Client", "JSON", "Seal", "SealClient", "Nettle", "Retry",
      "Linux", "CLinux",
      "CLibcurl", "CLibmosquitto",
    ]),
  small(
    "Screen", ["Ink", "Raster", "Text", "PNG", "Configuration", "Nettle", "Linux", "CLinux"]),
  small(
    "Pad",
    [
      "Screen", "Ink", "Raster", "Text", "Signature", "Touch", "Display", "PNG", "JSON",
      "Configuration", "Seal", "SealClient", "Spool", "Control", "Nettle", "Linux", "CLinux",
    ]),
]

/// The programs, and the module of `paraph-web`.
let programs: [Target] = [
  program("paraphd", ["Pad", "Configuration", "Linux", "CLinux"]),
  .executableTarget(
    name: "paraph-seal",
    dependencies: ["Seal", "Commands", "Configuration", "Linux", "CLinux", "CLibcrypto"],
    // Configuration's numbers, without optimisation.
    swiftSettings: smallSettings + whole, linkerSettings: linker + [.linkedLibrary("m")]),
  program("paraph-handoff", ["Handoff", "Configuration", "Linux", "CLinux"]),
  // HTTP as data: access, routes, events, requests; and the shell around libmicrohttpd.
  .target(
    name: "Web", dependencies: ["Client", "JSON", "Configuration", "Nettle", "Retry"],
    // Configuration's numbers, without optimisation.
    swiftSettings: smallSettings + whole, linkerSettings: [.linkedLibrary("m")]),
  program(
    "paraph-web",
    [
      "Web", "Client", "JSON", "Configuration", "Linux", "CLinux", "CNetwork", "CLibmicrohttpd",
    ]),
  // Not optimised for tests, as `plain`: it takes 28 s of the processor less.
  .executableTarget(
    name: "paraph",
    dependencies: [
      "Ink", "Raster", "Signature", "Touch", "Display", "PNG", "JSON", "Nettle", "Client",
      "Commands", "Configuration", "Seal", "Spool", "Control", "Screen", "Pad", "Linux", "CLinux",
    ], swiftSettings: smallSettings + whole, linkerSettings: linker),
]

/// Tests, and what they use.
let checks: [Target] = [
  // The touchscreen of the virtual machine that the appliance test boots.
  .executableTarget(
    name: "TouchGenerator", dependencies: ["Linux", "CLinux", "CLibevdev"],
    path: "Tests/Appliance/TouchGenerator", swiftSettings: house,
    linkerSettings: linker + [.linkedLibrary("m")]),
  // Draws on the virtual machine's panels.
  .executableTarget(
    name: "PanelProbe",
    dependencies: ["Display", "Raster", "Linux", "CLinux", "AllocationCount"],
    path: "Tests/Appliance/PanelProbe", swiftSettings: house),

  test("LinuxTests", ["Linux", "CLinux", "SpoolFixtures"]),
  test("RetryTests", ["Retry"]),
  test(
    "SealTests",
    ["paraph-seal", "Seal", "SealClient", "SpoolFixtures", "SyntheticHand", "Linux", "CLinux"]),
  test("NettleTests", ["Nettle"]),
  test("InkTests", ["Ink", "SyntheticHand", "AllocationCount"]),
  // Counts allocations in every test program that contains it.
  .target(name: "AllocationCount", path: "Tests/AllocationCount"),
  test("RasterTests", ["RasterFixtures", "Raster", "Ink", "SyntheticHand", "AllocationCount"]),
  // The reference of rasterisers.
  .target(
    name: "RasterFixtures", dependencies: ["Raster", "Ink"], path: "Tests/RasterFixtures",
    swiftSettings: testSettings + fast),
  test(
    "SignatureTests", ["Signature", "Raster", "Ink", "SyntheticHand", "AllocationCount"]),
  test(
    "TouchTests", ["Touch", "Ink", "SyntheticHand", "Linux", "CLinux", "AllocationCount"]),
  test(
    "DisplayTests", ["Display", "Raster", "Linux", "CLinux", "CLibdrm", "AllocationCount"]),
  test("PNGTests", ["PNG", "Raster"]),
  test("TextTests", ["Text", "Raster", "Ink", "SyntheticHand", "Linux", "CLinux"]),
  test("JSONTests", ["JSON", "SyntheticHand"]),
  test("ClientTests", ["Client", "JSON", "Linux", "CLinux"]),
  test("WebTests", ["Web", "JSON", "Configuration"]),
  test("CommandsTests", ["Commands", "Configuration", "SyntheticHand"]),
  test("ConfigurationTests", ["Configuration", "Linux", "SpoolFixtures", "SyntheticHand"]),
  .target(
    name: "SpoolFixtures", dependencies: ["Spool", "Linux", "CLinux"],
    path: "Tests/SpoolFixtures",
    swiftSettings: testSettings),
  .testTarget(
    name: "SpoolTests",
    dependencies: [
      "spool-driver", "SpoolFixtures", "SyntheticHand", "Spool", "Ink", "JSON", "Nettle", "Linux",
      "CLinux",
    ], exclude: ["Programs"], swiftSettings: testSettings),
  test("ControlTests", ["Control", "Spool", "Ink", "JSON", "SyntheticHand", "Linux", "CLinux"]),
  .testTarget(
    name: "HandoffTests",
    dependencies: [
      "spool-driver", "paraphd", "paraph-handoff", "paraph-seal", "SpoolFixtures",
      "SyntheticHand", "Handoff", "Seal", "SealClient", "Spool", "Configuration", "Client",
      "JSON", "Retry",
      "Linux", "CLinux",
    ], exclude: ["Servers"], swiftSettings: testSettings),
  .testTarget(
    name: "PadTests",
    dependencies: [
      "paraphd", "paraph", "paraph-seal", "AllocationCount", "ScreenFixtures", "SpoolFixtures",
      "SyntheticHand", "Seal", "SealClient", "Pad", "Screen", "Control", "Configuration", "Spool",
      "Text",
      "PNG", "Signature", "Touch",
      "Raster", "Ink", "Nettle", "Linux", "CLinux",
    ], exclude: ["Programs"], swiftSettings: testSettings),
  // Themes, panels and words for the tests of Screen and Pad.
  .target(
    name: "ScreenFixtures",
    dependencies: [
      "Screen", "Configuration", "Text", "PNG", "Raster", "Ink", "Linux", "CLinux",
    ], path: "Tests/ScreenFixtures", swiftSettings: testSettings),
  test(
    "ScreenTests",
    [
      "ScreenFixtures", "SpoolFixtures", "SyntheticHand", "Screen", "Configuration", "Text",
      "PNG", "Raster", "Ink", "CLinux",
    ]),
  .target(
    name: "SyntheticHand", dependencies: ["Ink"], path: "Tests/SyntheticHand",
    swiftSettings: testSettings + fast),
  // What `make proof` gives any bytes, and the tests the corpora.
  .target(
    name: "FuzzTargets",
    dependencies: [
      "RasterFixtures", "Pad", "Screen", "Handoff", "Web", "Control", "Configuration", "Spool",
      "Seal", "Display", "Touch", "Text", "PNG", "JSON", "Signature", "Raster", "Ink", "Linux",
      "CLinux", "CNetwork",
    ], path: "Tests/Fuzz/Targets", swiftSettings: testSettings),
  test("FuzzTests", ["FuzzTargets", "Linux", "CLinux"]),
  // Runs the program, whose linker's options are not for the tests.
  test("SimulationTests", ["SpoolFixtures", "Linux"]),
  // The daemons' state machines on a machine in memory, of which a seed decides everything.
  .target(
    name: "Simulation",
    dependencies: [
      "SyntheticHand", "Pad", "Screen", "Handoff", "Control", "Configuration", "Spool", "Nettle",
      "Retry", "Touch", "Raster", "Ink", "Linux", "CLinux",
    ], path: "Tests/Simulation/World", swiftSettings: testSettings + fast),
  .executableTarget(
    name: "simulation", dependencies: ["Simulation", "CLinux"], path: "Tests/Simulation/Program",
    swiftSettings: testSettings,
    linkerSettings: [.unsafeFlags(redirected, .when(configuration: .debug))]
  ),
  // Publishes without a pad, for tests that kill it, starve it and trace it.
  .executableTarget(
    name: "spool-driver", dependencies: ["Spool", "Linux", "CLinux"], path: "Tests/SpoolDriver",
    swiftSettings: testSettings),
  // Runs the built programs.
  test(
    "ParaphTests",
    [
      "paraph", "spool-driver", "paraphd", "paraph-handoff", "paraph-seal", "paraph-web",
      "SpoolFixtures",
      "Commands",
      "Configuration",
      "Control", "SyntheticHand", "Spool", "Signature", "PNG", "Raster", "Ink", "JSON", "Linux",
      "CLinux",
    ]),
]

let package = Package(
  name: "paraph",
  products: [
    .executable(name: "paraphd", targets: ["paraphd"]),
    .executable(name: "paraph-handoff", targets: ["paraph-handoff"]),
    .executable(name: "paraph-web", targets: ["paraph-web"]),
    .executable(name: "paraph-seal", targets: ["paraph-seal"]),
    .executable(name: "paraph", targets: ["paraph"]),
    .library(name: "ParaphInk", targets: ["Ink", "Raster", "Signature", "PNG"]),
  ],
  targets: libraries + modules + programs + checks,
  swiftLanguageModes: [.v6]
)

// Tests that a build is to leave out: .ci/sanitize.
let without = Context.environment["PARAPH_WITHOUT"]?.split(separator: " ").map(String.init) ?? []
package.targets.removeAll { without.contains($0.name) }
