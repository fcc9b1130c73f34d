internal import Linux

HandoffCommand.run(Process.arguments)
