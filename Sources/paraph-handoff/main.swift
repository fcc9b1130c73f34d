HandoffCommand.run(CommandLine.arguments)
