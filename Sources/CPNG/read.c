#include "error.h"
#include "limits.h"
#include <stdlib.h>
#include <string.h>

struct CPNG_reader {
  struct failure failure;
  png_structp png;
  png_infop info;
  png_infop end; /* what stands behind the pixels */
  const uint8_t *bytes;
  size_t count, position;
  uint32_t height;
  int passes;
  uint32_t row;     /* the next one of CPNG_readRow */
  uint8_t *spread;  /* all rows of an interlaced picture, for CPNG_readRow */
};

static void read_bytes(png_structp png, png_bytep out, size_t count) {
  struct CPNG_reader *reader = png_get_io_ptr(png);
  if (count > reader->count - reader->position) png_error(png, "the file ends too early");
  memcpy(out, reader->bytes + reader->position, count);
  reader->position += count;
}

int CPNG_openReader(struct CPNG_reader **out, const uint8_t *bytes, size_t count) {
  *out = NULL;
  if (count < signatureBytes || png_sig_cmp(bytes, 0, signatureBytes)) return CPNG_notPNG;
  struct CPNG_reader *reader = calloc(1, sizeof *reader);
  *out = reader;
  if (!reader) return CPNG_noMemory;
  reader->bytes = bytes;
  reader->count = count;
  reader->png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &reader->failure, failure_raise, failure_ignore);
  if (!reader->png) return CPNG_noMemory;
  if (setjmp(png_jmpbuf(reader->png))) return reader->failure.code;
  reader->info = png_create_info_struct(reader->png);
  reader->end = png_create_info_struct(reader->png);
  if (!reader->info || !reader->end) return CPNG_noMemory;
  png_set_read_fn(reader->png, reader, read_bytes);
  limits_set(reader->png);
  return CPNG_done;
}

static int format_of(png_byte colourType) {
  switch (colourType) {
    case PNG_COLOR_TYPE_GRAY: return CPNG_grey;
    case PNG_COLOR_TYPE_GRAY_ALPHA: return CPNG_greyAlpha;
    case PNG_COLOR_TYPE_RGB: return CPNG_rgb;
    default: return CPNG_rgba;
  }
}

int CPNG_readHeader(struct CPNG_reader *reader, uint64_t pixelLimit, struct CPNG_picture *picture) {
  png_structp png = reader->png;
  if (setjmp(png_jmpbuf(png))) return reader->failure.code;
  png_read_info(png, reader->info);
  picture->width = png_get_image_width(png, reader->info);
  picture->height = reader->height = png_get_image_height(png, reader->info);
  if ((uint64_t)picture->width * picture->height > pixelLimit) return CPNG_tooLarge;
  /* Palettes, fewer bits and tRNS are spread out, sixteen bits rounded: eight bits for each channel. */
  png_set_expand(png);
  png_set_scale_16(png);
  reader->passes = png_set_interlace_handling(png);
  png_read_update_info(png, reader->info);
  picture->format = format_of(png_get_color_type(png, reader->info));
  picture->isInterlaced = reader->passes > 1;
  int unit = PNG_RESOLUTION_UNKNOWN;
  png_uint_32 x = 0, y = 0;
  png_get_pHYs(png, reader->info, &x, &y, &unit);
  picture->xPerMetre = unit == PNG_RESOLUTION_METER ? x : 0;
  picture->yPerMetre = unit == PNG_RESOLUTION_METER ? y : 0;
  return CPNG_done;
}

static void read_rows(struct CPNG_reader *reader, uint8_t *pixels, size_t bytesPerRow) {
  for (int pass = 0; pass < reader->passes; pass++)
    for (uint32_t row = 0; row < reader->height; row++) png_read_row(reader->png, pixels + row * bytesPerRow, NULL);
}

int CPNG_readPixels(struct CPNG_reader *reader, uint8_t *pixels, size_t bytesPerRow) {
  png_structp png = reader->png;
  if (setjmp(png_jmpbuf(png))) return reader->failure.code;
  if (png_get_rowbytes(png, reader->info) > bytesPerRow) png_error(png, "the rows are too long");
  read_rows(reader, pixels, bytesPerRow);
  png_read_end(png, reader->end);
  return CPNG_done;
}

static void read_row(struct CPNG_reader *reader, uint8_t *pixels, size_t bytes) {
  png_structp png = reader->png;
  if (reader->passes == 1) {
    png_read_row(png, pixels, NULL);
    return;
  }
  if (!reader->spread) {
    if (bytes > SIZE_MAX / reader->height) png_error(png, "the picture does not fit into memory");
    reader->spread = png_calloc(png, bytes * reader->height);
    read_rows(reader, reader->spread, bytes);
  }
  memcpy(pixels, reader->spread + reader->row * bytes, bytes);
}

int CPNG_readRow(struct CPNG_reader *reader, uint8_t *pixels, size_t bytes) {
  png_structp png = reader->png;
  /* After an error libpng's reader may only be destroyed. */
  if (reader->failure.code != CPNG_done) return reader->failure.code;
  if (setjmp(png_jmpbuf(png))) return reader->failure.code;
  if (png_get_rowbytes(png, reader->info) != bytes) png_error(png, "the rows have another length");
  if (reader->row >= reader->height) png_error(png, "there are no more rows");
  read_row(reader, pixels, bytes);
  if (++reader->row == reader->height) png_read_end(png, reader->end);
  return CPNG_done;
}

static int texts(const struct CPNG_reader *reader, png_infop info, png_textp *found) {
  int count = 0;
  *found = NULL;
  png_get_text(reader->png, info, found, &count);
  return count;
}

int CPNG_textCount(const struct CPNG_reader *reader) {
  png_textp found;
  return texts(reader, reader->info, &found) + texts(reader, reader->end, &found);
}

static const png_text *text_at(const struct CPNG_reader *reader, int index) {
  png_textp found;
  int before = texts(reader, reader->info, &found);
  if (index < before) return &found[index];
  return index - before < texts(reader, reader->end, &found) ? &found[index - before] : NULL;
}

const char *CPNG_textKey(const struct CPNG_reader *reader, int index) {
  const png_text *text = text_at(reader, index);
  return text ? text->key : NULL;
}

const char *CPNG_textValue(const struct CPNG_reader *reader, int index) {
  const png_text *text = text_at(reader, index);
  return text ? text->text : NULL;
}

void CPNG_closeReader(struct CPNG_reader *reader) {
  if (!reader) return;
  if (reader->png) png_free(reader->png, reader->spread);
  png_destroy_read_struct(&reader->png, &reader->info, &reader->end);
  free(reader);
}

const char *CPNG_readerMessage(const struct CPNG_reader *reader) { return reader->failure.message; }
