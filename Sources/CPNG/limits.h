#pragma once
#include <png.h>

enum {
  signatureBytes = 8,
  /* The bytes of a text or profile that a hostile file has compressed; none that we want is larger. One that is not
     compressed takes no more memory than its file, and libpng reads it. */
  chunkBytes = 1 << 20,
  /* Texts, profiles and unknown chunks that libpng keeps of a file; it skips the others. */
  chunkCount = 64,
  /* The pixels of a side. Rows of 8 bytes a pixel do not overflow 32 bits. */
  sidePixels = 1000000,
};

/* Sets these limits for a file that is read. libpng's own are 8 MB, 1000 chunks, and the same side, unless a system has
   built it otherwise. */
void limits_set(png_structp png);
