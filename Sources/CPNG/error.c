#include "error.h"
#include <stdio.h>

void failure_raise(png_structp png, png_const_charp sentence) {
  struct failure *failure = png_get_error_ptr(png);
  if (failure->code == CPNG_done) failure->code = CPNG_failed;
  snprintf(failure->message, sizeof failure->message, "%s", sentence);
  png_longjmp(png, 1);
}

void failure_ignore(png_structp png, png_const_charp sentence) {
  (void)png;
  (void)sentence;
}
