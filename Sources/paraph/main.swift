import Linux

ParaphCommand.run(Process.begin("paraph"))
