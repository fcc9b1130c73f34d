import Linux

SealCommand.run(Array(Process.arguments.dropFirst()))
