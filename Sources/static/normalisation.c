/* What the Swift library asks of Unicode's tables when strings are compared (SwiftShims/UnicodeData.h), for
   the boards: every string is in its normal form. Strings are equal there when their code points are, as
   file names are, and 36 kB of tables are not in the program. */
#include <stdint.h>

/* No combining class; the entry of another code point; no composition. */
uint16_t _swift_stdlib_getNormData(uint32_t scalar) { return 0; }

uint32_t _swift_stdlib_getDecompositionEntry(uint32_t scalar) { return ~scalar; }

uint32_t _swift_stdlib_getComposition(uint32_t first, uint32_t second) { return UINT32_MAX; }

const uint8_t *const _swift_stdlib_nfd_decompositions = 0;
