#include "error.h"
#include "limits.h"
#include <stdlib.h>
#include <string.h>

enum { headerBytes = 8, checksumBytes = 4 };

/* The place of the pixels' chunks, which follow each other. */
enum { beforePixels, inPixels, behindPixels };

struct CPNG_checker {
  struct failure failure;
  png_structp png;
  png_infop info;
  struct CPNG_limits limits;
  uint32_t width, height;
  uint64_t rows, expectedRows;
  uint8_t header[headerBytes]; /* of the file, then of each chunk */
  unsigned headerCount;
  int hasSignature, hasHeader;
  int place;
  uint64_t left;  /* bytes of the chunk, with its checksum */
  int isSkipped;  /* the chunk does not matter to the pixels */
  int isComplete;
};

/* The rows of all passes; those without pixels are not in the file. */
static uint64_t row_count(uint32_t width, uint32_t height, int isInterlaced) {
  if (!isInterlaced) return height;
  uint64_t rows = 0;
  for (int pass = 0; pass < PNG_INTERLACE_ADAM7_PASSES; pass++)
    if (PNG_PASS_COLS(width, pass)) rows += PNG_PASS_ROWS(height, pass);
  return rows;
}

static void take_header(png_structp png, png_infop info) {
  struct CPNG_checker *checker = png_get_progressive_ptr(png);
  checker->width = png_get_image_width(png, info);
  checker->height = png_get_image_height(png, info);
  uint64_t pixels = (uint64_t)checker->width * checker->height;
  int isInterlaced = png_get_interlace_type(png, info) != PNG_INTERLACE_NONE;
  uint64_t limit = isInterlaced ? checker->limits.interlaced : checker->limits.pixels;
  if (pixels > limit || checker->width > checker->limits.side || checker->height > checker->limits.side) {
    checker->failure.code = CPNG_tooLarge;
    png_error(png, "the picture is too large");
  }
  checker->expectedRows = row_count(checker->width, checker->height, isInterlaced);
  png_start_read_image(png);
}

static void count_row(png_structp png, png_bytep row, png_uint_32 number, int pass) {
  (void)row;
  (void)number;
  (void)pass;
  struct CPNG_checker *checker = png_get_progressive_ptr(png);
  checker->rows++;
}

static void take_end(png_structp png, png_infop info) {
  (void)info;
  struct CPNG_checker *checker = png_get_progressive_ptr(png);
  /* libpng accepts an end of the data between two rows. */
  if (checker->rows < checker->expectedRows) png_error(png, "there are not enough rows");
  checker->isComplete = 1;
}

int CPNG_openChecker(struct CPNG_checker **out, const struct CPNG_limits *limits) {
  struct CPNG_checker *checker = calloc(1, sizeof *checker);
  *out = checker;
  if (!checker) return CPNG_noMemory;
  checker->limits = *limits;
  checker->png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &checker->failure, failure_raise, failure_raise);
  if (!checker->png) return CPNG_noMemory;
  if (setjmp(png_jmpbuf(checker->png))) return checker->failure.code;
  /* Damage behind the last row is an error or a warning of libpng: that depends on the size of the parts. */
  png_set_benign_errors(checker->png, 0);
  checker->info = png_create_info_struct(checker->png);
  if (!checker->info) return CPNG_noMemory;
  limits_set(checker->png);
  png_set_progressive_read_fn(checker->png, checker, take_header, count_row, take_end);
  return CPNG_done;
}

static void process(struct CPNG_checker *checker, const uint8_t *bytes, size_t count) {
  /* libpng does not change them. */
  png_process_data(checker->png, checker->info, (png_bytep)bytes, count);
}

static int is_letter(uint8_t byte) { return (byte | 0x20) >= 'a' && (byte | 0x20) <= 'z'; }

/* The header of a chunk has arrived. libpng would keep the whole of any chunk but IDAT until it ends, whatever its
   size. So ancillary chunks are not given to it, and larger ones than the reader accepts are refused. */
static void begin_chunk(struct CPNG_checker *checker) {
  const uint8_t *type = checker->header + 4;
  for (int i = 0; i < 4; i++)
    if (!is_letter(type[i])) png_error(checker->png, "a chunk has an invalid type");
  /* Reserved (W3C PNG, 5.4): newer versions of libpng read no such file. */
  if (type[2] & 0x20) png_error(checker->png, "a chunk has an invalid type");
  /* The reader accepts nothing before it. */
  if (!checker->hasHeader && memcmp(type, "IHDR", 4)) png_error(checker->png, "missing IHDR");
  checker->hasHeader = 1;
  uint32_t size = png_get_uint_31(checker->png, checker->header);
  int isPixels = !memcmp(type, "IDAT", 4);
  if (!isPixels && size > chunkBytes) png_error(checker->png, "a chunk is too large");
  if (isPixels && checker->place == behindPixels) png_error(checker->png, "IDAT: out of place");
  if (isPixels) checker->place = inPixels;
  else if (checker->place == inPixels) checker->place = behindPixels;
  checker->left = (uint64_t)size + checksumBytes;
  checker->isSkipped = (type[0] & 0x20) != 0;
  if (!checker->isSkipped) process(checker, checker->header, headerBytes);
}

/* Takes bytes of the signature or of a chunk's header; returns their number. */
static size_t take_header_bytes(struct CPNG_checker *checker, const uint8_t *bytes, size_t count) {
  size_t missing = headerBytes - checker->headerCount;
  if (count > missing) count = missing;
  memcpy(checker->header + checker->headerCount, bytes, count);
  checker->headerCount += count;
  if (!checker->hasSignature && png_sig_cmp(checker->header, 0, checker->headerCount)) {
    checker->failure.code = CPNG_notPNG;
    png_error(checker->png, "not a PNG");
  }
  if (checker->headerCount < headerBytes) return count;
  checker->headerCount = 0;
  if (checker->hasSignature) {
    begin_chunk(checker);
  } else {
    checker->hasSignature = 1;
    process(checker, checker->header, signatureBytes);
  }
  return count;
}

static void take(struct CPNG_checker *checker, const uint8_t *bytes, size_t count) {
  while (count) {
    if (checker->isComplete) png_error(checker->png, "there is data behind the end");
    size_t taken = checker->left < count ? (size_t)checker->left : count;
    if (!taken) {
      taken = take_header_bytes(checker, bytes, count);
    } else {
      checker->left -= taken;
      if (!checker->isSkipped) process(checker, bytes, taken);
    }
    bytes += taken;
    count -= taken;
  }
}

int CPNG_check(struct CPNG_checker *checker, const uint8_t *bytes, size_t count) {
  if (checker->failure.code != CPNG_done) return checker->failure.code;
  if (setjmp(png_jmpbuf(checker->png))) return checker->failure.code;
  take(checker, bytes, count);
  return CPNG_done;
}

int CPNG_isChecked(const struct CPNG_checker *checker) {
  return checker->isComplete && checker->failure.code == CPNG_done;
}
uint32_t CPNG_checkedWidth(const struct CPNG_checker *checker) { return checker->width; }
uint32_t CPNG_checkedHeight(const struct CPNG_checker *checker) { return checker->height; }

void CPNG_closeChecker(struct CPNG_checker *checker) {
  if (!checker) return;
  png_destroy_read_struct(&checker->png, &checker->info, NULL);
  free(checker);
}

const char *CPNG_checkerMessage(const struct CPNG_checker *checker) { return checker->failure.message; }
