import CLinux
import Commands
import Linux
import Nettle
import Spool

struct Unseal: Runnable {
  static var command: Command {
    Command(
      "unseal", "Open the sealed files of a signature, where the key is.",
      discussion: [
        "ITEM is the folder of a signature as it was delivered, or one sealed file. Each file NAME.cms becomes NAME in the "
          + "output folder, readable by this user only. Nothing is replaced, and nothing is written unless all files can "
          + "be opened and have the digests of signature.json. The private key belongs on another machine than the pad.",
        "Without this program, \"openssl cms -decrypt -inform DER -binary -in NAME.cms -inkey FILE -out NAME || rm -f NAME\" opens a file.",
      ],
      options: [
        Option(
          "key", value: "FILE", values: .file(["pem", "key"]), isRequired: true,
          "The private key of a recipient in PEM, without a passphrase."),
        Option(
          "certificate", value: "FILE", values: .file(["pem", "crt"]),
          "The certificate of the recipient in PEM. Without it, every recipient of a file is tried."
        ),
        Option(
          "output", short: "o", value: "FOLDER", values: .folder,
          "Write the files into FOLDER, which must exist. Without it, into the current folder."),
      ],
      operands: [
        Operand("ITEM", count: .one, values: .file(["cms"]), "A folder, or a sealed file.")
      ],
      examples: [
        Command.Example(
          "paraph unseal 0190c8a4-6d1e-7c3a-9f2b-5e4d3c2b1a09 --key notary.key -o opened",
          "Open what a pad has sealed to the notary.")
      ],
      exitCodes: [
        Command.ExitCode(65, "A file is damaged, not sealed to this key, or nothing is sealed."),
        Command.ExitCode(66, "The item, key or certificate cannot be read."),
        Command.ExitCode(69, "The program paraph-seal is not beside this one."),
        Command.ExitCode(73, "An output exists, or cannot be created."),
        Command.ExitCode(74, "An output cannot be written: the disk is full, for example."),
      ])
  }

  private let item: String
  private let output: String
  private let options: [String]

  init(_ arguments: Arguments) throws(UsageError) {
    item = arguments.operands.first ?? ""
    output = arguments.value("output") ?? "."
    var options = ["--unseal", "--key=\(try arguments.required("key"))"]
    if let certificate = arguments.value("certificate") {
      options.append("--certificate=\(certificate)")
    }
    self.options = options
  }

  func run() throws(ToolError) {
    var opened: [(path: String, bytes: [UInt8])] = []
    for file in try sealedFiles() {
      let name = file.path.split(separator: "/").last.map { String($0) } ?? ""
      // Without ".cms".
      let path = "\(output)/\(name.dropLast(4))"
      try NewFile.checkAbsence(of: path)
      opened.append((path, try open(file.bytes, file.path)))
    }
    var printed = StandardOutput()
    for place in opened.indices {
      do throws(ToolError) {
        try NewFile.write(opened[place].bytes, to: opened[place].path, isSecret: true)
      } catch {
        // All files or none.
        for (path, _) in opened[..<place] { unsafe unlink(path) }
        throw error
      }
    }
    for (path, _) in opened { try printed.line(path) }
    try printed.flush()
    if (try? FileStatus(of: item).kind) == .folder,
      (try? FileStatus(of: "\(item)/\(Manifest.name)")) == nil
    {
      StandardError.write(
        "paraph: \(item): no \(Manifest.name): whether files are missing is unknown\n")
    }
  }

  // MARK: - Input

  /// The sealed files, checked against the manifest if they are an item's.
  private func sealedFiles() throws(ToolError) -> [(path: String, bytes: [UInt8])] {
    let kind: FileStatus.Kind
    do throws(SystemError) { kind = try FileStatus(of: item).kind } catch {
      throw ToolError(.noInput, error.text)
    }
    if kind != .folder {
      guard item.hasASCIISuffix(".cms"), !item.hasASCIISuffix("/.cms") else {
        throw ToolError(.data, "\(item): the name of a sealed file ends in .cms")
      }
      return [(item, try read(item))]
    }
    let names = try names(of: item)
    var digests: [Manifest.File]?
    if names.contains(Manifest.name) {
      let text = try read("\(item)/\(Manifest.name)")
      do throws(ValidationError) {
        digests = try Manifest(text).files
      } catch { throw ToolError(.data, "\(item)/\(error.reason)") }
    }
    for file in digests ?? [] where file.file.isSealed && !names.contains(file.file.name) {
      throw ToolError(.data, "\(item)/\(file.file.name): missing, but \(Manifest.name) names it")
    }
    var files: [(path: String, bytes: [UInt8])] = []
    for file in ItemFile.allCases where file.isSealed && names.contains(file.name) {
      let path = "\(item)/\(file.name)"
      let bytes = try read(path)
      let digest = SHA256.text(of: bytes)
      if let digests, !digests.contains(where: { $0.file == file && $0.sha256 == digest }) {
        throw ToolError(.data, "\(path): does not match its digest in \(Manifest.name)")
      }
      files.append((path, bytes))
    }
    if files.isEmpty { throw ToolError(.data, "\(item): contains no sealed file") }
    return files
  }

  private func names(of folder: String) throws(ToolError) -> [String] {
    do throws(Errno) { return try Folder.names(of: folder) } catch {
      throw ToolError(.noInput, SystemError("read", folder, error).text)
    }
  }

  private func read(_ path: String) throws(ToolError) -> [UInt8] {
    do throws(Errno) {
      let file = try FileDescriptor(opening: path, O_RDONLY | O_NONBLOCK)
      guard let bytes = try file.readAll(limit: ItemFile.sizeLimit) else { throw Errno(EFBIG) }
      return bytes
    } catch { throw ToolError(.noInput, SystemError("read", path, error).text) }
  }

  // MARK: - Opening

  private func open(_ bytes: [UInt8], _ path: String) throws(ToolError) -> [UInt8] {
    let run: SealRun
    do throws(Errno) {
      run = try SealRun(options, input: bytes)
    } catch { throw ToolError(.unavailable, "\(SealRun.program): \(error.text)") }
    if run.end == .exit(0) { return run.output }
    throw run.failure(path)
  }
}
