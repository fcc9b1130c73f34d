#pragma once
#include "CPNG.h"
#include <png.h>

/* What libpng's callbacks write to, and how the call ends. */
struct failure {
  int code;
  char message[96];
};

/* Keeps libpng's sentence in the `struct failure` behind png_get_error_ptr, and jumps. */
void failure_raise(png_structp png, png_const_charp sentence);

/* Warnings concern what libpng repairs or skips by itself. */
void failure_ignore(png_structp png, png_const_charp sentence);
