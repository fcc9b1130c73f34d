import Testing

/// All tests that parse command lines: getopt_long(3) has one state, so they run one after the other.
@Suite(.serialized) enum GetoptTests {}
