import Linux

ParaphCommand.run(Process.arguments)
