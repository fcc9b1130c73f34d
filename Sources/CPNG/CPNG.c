/* libpng's error handling must not cross Swift frames: setjmp stays in here. */
#include "CPNG.h"
