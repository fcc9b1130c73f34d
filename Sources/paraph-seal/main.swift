import Linux

SealCommand.run(Array(Process.begin("paraph-seal").dropFirst()))
