#include "error.h"
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

struct CPNG_writer {
  struct failure failure;
  png_structp png;
  png_infop info;
  CPNG_sink sink;
  void *context;
};

const char *CPNG_version(void) { return png_get_libpng_ver(NULL); }

static void write_bytes(png_structp png, png_bytep bytes, size_t count) {
  struct CPNG_writer *writer = png_get_io_ptr(png);
  if (writer->sink(writer->context, bytes, count) == 0) return;
  writer->failure.code = CPNG_refused;
  png_error(png, "the bytes were refused");
}

static void flush_nothing(png_structp png) { (void)png; }

int CPNG_openWriter(struct CPNG_writer **out, CPNG_sink sink, void *context) {
  struct CPNG_writer *writer = calloc(1, sizeof *writer);
  *out = writer;
  if (!writer) return CPNG_noMemory;
  writer->sink = sink;
  writer->context = context;
  writer->png = png_create_write_struct(PNG_LIBPNG_VER_STRING, &writer->failure, failure_raise, failure_ignore);
  if (!writer->png) return CPNG_noMemory;
  if (setjmp(png_jmpbuf(writer->png))) return writer->failure.code;
  writer->info = png_create_info_struct(writer->png);
  if (!writer->info) return CPNG_noMemory;
  png_set_write_fn(writer->png, writer, write_bytes, flush_nothing);
  /* Ink is runs of paper and edges that never repeat: on it no filter and run lengths only beat every
     other setting of zlib, in time (3 to 26 times) and in size. Nine memory levels make the blocks,
     each of which carries its own code table, longest; one chunk holds a whole signature. */
  png_set_filter(writer->png, PNG_FILTER_TYPE_BASE, PNG_FILTER_NONE);
  png_set_compression_strategy(writer->png, Z_RLE);
  png_set_compression_mem_level(writer->png, 9);
  png_set_compression_buffer_size(writer->png, 1 << 16);
  return CPNG_done;
}

int CPNG_addText(struct CPNG_writer *writer, const char *key, const char *value, int isInternational) {
  png_text text;
  memset(&text, 0, sizeof text);
  text.compression = isInternational ? PNG_ITXT_COMPRESSION_NONE : PNG_TEXT_COMPRESSION_NONE;
  text.key = (char *)key;    /* libpng copies both */
  text.text = (char *)value;
  if (setjmp(png_jmpbuf(writer->png))) return writer->failure.code;
  png_set_text(writer->png, writer->info, &text, 1);
  return CPNG_done;
}

/* 256 entries of the ink's colour whose opacity is their index: the coverage itself is written, and
   blank rows are runs of 0 that go on across the filter bytes between them. */
static void set_ink_palette(struct CPNG_writer *writer, const struct CPNG_picture *picture) {
  png_color colours[256];
  png_byte opacity[256];
  for (int index = 0; index < 256; index++) {
    colours[index].red = picture->red;
    colours[index].green = picture->green;
    colours[index].blue = picture->blue;
    opacity[index] = (png_byte)index;
  }
  png_set_PLTE(writer->png, writer->info, colours, 256);
  png_set_tRNS(writer->png, writer->info, opacity, 256, NULL);
}

static int colour_type(int format) {
  switch (format) {
    case CPNG_grey:
    case CPNG_darkness: return PNG_COLOR_TYPE_GRAY;
    case CPNG_ink: return PNG_COLOR_TYPE_PALETTE;
    default: return PNG_COLOR_TYPE_RGB;
  }
}

/* Paper above and below ink, and room to save more than the end of a block costs. */
enum { marginRows = 32 };

static int is_blank(const uint8_t *row, size_t bytes) { return memcmp(row, row + 1, bytes - 1) == 0; }

/* The rows from the first to before the last that are not of one colour. A picture with paper around
   it is best coded in three blocks: in a margin there is little but the longest run, and its code takes
   a bit there if edges of ink do not share the table. That is 3 % of a whole panel's picture. */
static void find_ink(const struct CPNG_picture *picture, const uint8_t *pixels, size_t bytesPerRow,
                     size_t rowBytes, uint32_t *first, uint32_t *end) {
  *first = 0;
  *end = picture->height;
  while (*first < *end && is_blank(pixels + *first * bytesPerRow, rowBytes)) ++*first;
  while (*end > *first && is_blank(pixels + (*end - 1) * bytesPerRow, rowBytes)) --*end;
}

static int bytes_per_pixel(int format) {
  switch (format) {
    case CPNG_rgb: return 3;
    case CPNG_xrgb: return 4;
    default: return 1;
  }
}

int CPNG_writePixels(struct CPNG_writer *writer, const struct CPNG_picture *picture, const uint8_t *pixels,
                     size_t bytesPerRow) {
  png_structp png = writer->png;
  if (setjmp(png_jmpbuf(png))) return writer->failure.code;
  png_set_IHDR(png, writer->info, picture->width, picture->height, 8, colour_type(picture->format),
               PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_BASE, PNG_FILTER_TYPE_BASE);
  if (picture->format == CPNG_ink) set_ink_palette(writer, picture);
  if (picture->xPerMetre && picture->yPerMetre)
    png_set_pHYs(png, writer->info, picture->xPerMetre, picture->yPerMetre, PNG_RESOLUTION_METER);
  png_write_info(png, writer->info);
  if (picture->format == CPNG_darkness) png_set_invert_mono(png);
  if (picture->format == CPNG_xrgb) {
    png_set_filler(png, 0, PNG_FILLER_AFTER);
    png_set_bgr(png);
  }
  uint32_t ink, paper;
  find_ink(picture, pixels, bytesPerRow, (size_t)picture->width * bytes_per_pixel(picture->format), &ink, &paper);
  for (uint32_t row = 0; row < picture->height; row++) {
    if ((row == ink && ink >= marginRows) || (row == paper && picture->height - paper >= marginRows))
      png_write_flush(png);
    png_write_row(png, pixels + row * bytesPerRow);
  }
  png_write_end(png, NULL);
  return CPNG_done;
}

void CPNG_closeWriter(struct CPNG_writer *writer) {
  if (!writer) return;
  png_destroy_write_struct(&writer->png, &writer->info);
  free(writer);
}

const char *CPNG_writerMessage(const struct CPNG_writer *writer) { return writer->failure.message; }
