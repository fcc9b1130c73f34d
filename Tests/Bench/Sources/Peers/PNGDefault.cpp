#include "include/Peers.h"

#include <png.h>

namespace {
void count(png_structp png, png_bytep, png_size_t length) {
  *static_cast<size_t *>(png_get_io_ptr(png)) += length;
}
void flush(png_structp) {}
}  // namespace

size_t png_default_size(const uint8_t *grey, int32_t width, int32_t height) {
  size_t size = 0;
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
  png_infop info = png_create_info_struct(png);
  if (setjmp(png_jmpbuf(png))) {
    png_destroy_write_struct(&png, &info);
    return 0;
  }
  png_set_write_fn(png, &size, count, flush);
  png_set_IHDR(
      png, info, png_uint_32(width), png_uint_32(height), 8, PNG_COLOR_TYPE_GRAY,
      PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  png_write_info(png, info);
  for (int32_t y = 0; y < height; y++) png_write_row(png, grey + size_t(y) * width);
  png_write_end(png, info);
  png_destroy_write_struct(&png, &info);
  return size;
}
