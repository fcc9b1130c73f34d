// Asked by the leak sanitizer, which `make sanitize` has in every program. What XCTest and Foundation keep for ever
// is not ours.
const char *__lsan_default_suppressions(void);

const char *__lsan_default_suppressions(void) {
  return "leak:libXCTest.so\nleak:libFoundation.so\n";
}
