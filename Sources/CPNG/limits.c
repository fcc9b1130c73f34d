#include "limits.h"

void limits_set(png_structp png) {
  png_set_user_limits(png, sidePixels, sidePixels);
  png_set_chunk_malloc_max(png, chunkBytes);
  png_set_chunk_cache_max(png, chunkCount);
}
