import CLinux
import Linux

/// A TPM 2.0 in software (swtpm) with an ECDSA key at a persistent handle.
public final class TestTPM: Sendable {
  private let process: ChildProcess
  private let folder: TemporaryFolder
  /// The variables by which programs find it.
  public let environment: [String]
  /// The URI of the key.
  public let uri = "handle:0x81000001"

  /// Starts the TPM and makes the key in it.
  public init(in folder: TemporaryFolder) throws {
    self.folder = folder
    let socket = folder.path + "/tpm"
    environment = ["TPM2TOOLS_TCTI", "TPM2OPENSSL_TCTI"].map { "\($0)=swtpm:path=\(socket)" }
    mkdir(folder.path + "/state", 0o700)
    let log = try Programs.open(folder.path + "/swtpm.log")
    process = try ChildProcess(
      "/usr/bin/swtpm",
      [
        "socket", "--tpm2", "--tpmstate", "dir=\(folder.path)/state", "--server",
        "type=unixio,path=\(socket)", "--ctrl", "type=unixio,path=\(socket).ctrl", "--flags",
        "not-need-init,startup-clear",
      ], output: log.number, error: log.number)
    guard eventually({ Fixtures.exists(socket) && Fixtures.exists(socket + ".ctrl") }) else {
      throw Errno(ETIMEDOUT)
    }
    // A kernel's /dev/tpmrm0 would flush what a program leaves in the TPM.
    try run(
      """
      set -e
      cd \(folder.path)
      tpm2_createprimary -Q -C o -G ecc -c primary.ctx
      tpm2_flushcontext -t
      tpm2_create -Q -C primary.ctx -G ecc256:ecdsa -u key.pub -r key.priv \
        -a 'fixedtpm|fixedparent|sensitivedataorigin|userwithauth|sign'
      tpm2_flushcontext -t
      tpm2_load -Q -C primary.ctx -u key.pub -r key.priv -c key.ctx
      tpm2_evictcontrol -Q -C o -c key.ctx 0x81000001
      tpm2_flushcontext -t
      """)
  }

  /// Runs lines of the shell with the TPM's variables; an error if one fails.
  public func run(_ script: String) throws {
    let log = try Programs.open(folder.path + "/tpm.log")
    var child = try ChildProcess(
      "/bin/sh", ["-c", script], environment: environment, output: log.number, error: log.number)
    if try child.wait(milliseconds: 60_000) != .exit(0) {
      throw SystemError("tpm2", try Fixtures.text(folder.path + "/tpm.log"), Errno(EIO))
    }
  }

  /// Writes a program that is another one with the TPM's variables. Returns its path.
  public func program(_ name: String) throws -> String {
    let path = "\(folder.path)/\(name)-tpm"
    let variables = environment.map { "export \($0)\n" }.joined()
    try Fixtures.write(
      path, Array("#!/bin/sh\n\(variables)exec \(Programs.path(name)) \"$@\"\n".utf8))
    chmod(path, 0o755)
    return path
  }
}
