// Only the compiler and linker flags of its .pc file are wanted; Peers includes the headers.
