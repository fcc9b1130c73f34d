/* libpng reports errors by longjmp, which must not cross Swift frames (undefined behaviour), and its
   error function may not return. So everything between setjmp and the end of a call stays in C: one
   call in, one result and one sentence out. No libpng type shows here. */
#pragma once
#include <stddef.h>
#include <stdint.h>

enum {
  CPNG_grey = 0,  /* 8-bit grey, one byte per pixel */
  CPNG_ink = 1,   /* coverage, one byte per pixel, of one colour on nothing: palette with tRNS */
  CPNG_rgb = 2,   /* red, green, blue */
  CPNG_xrgb = 3,  /* little-endian XRGB8888, as in DRM: blue, green, red, unused; written as RGB */
  CPNG_greyAlpha = 4,
  CPNG_rgba = 5,
  CPNG_darkness = 6,  /* one byte per pixel, 255 is black: written as 8-bit grey */
};

enum {
  CPNG_done = 0,
  CPNG_failed = 1,    /* libpng's own sentence is in the message */
  CPNG_refused = 2,   /* the sink did not take the bytes */
  CPNG_noMemory = 3,
  CPNG_notPNG = 4,
  CPNG_tooLarge = 5,  /* more pixels than the limit; width and height are set */
};

struct CPNG_picture {
  uint32_t width, height;
  int format;
  uint8_t red, green, blue;               /* of CPNG_ink */
  uint32_t xPerMetre, yPerMetre;          /* pHYs; 0: none */
  int isInterlaced;                       /* of a picture that is read */
};

/* Takes `count` bytes of the file; anything but 0 ends the writing. */
typedef int (*CPNG_sink)(void *context, const uint8_t *bytes, size_t count);

/* The version of the loaded libpng. */
const char *CPNG_version(void);

struct CPNG_writer;
struct CPNG_reader;

/* Writing: open, texts, rows, close. `close` frees the writer in any case. */
int CPNG_openWriter(struct CPNG_writer **writer, CPNG_sink sink, void *context);
/* `key` is 1 to 79 bytes of Latin-1; `text` UTF-8 where `isInternational`, else Latin-1. */
int CPNG_addText(struct CPNG_writer *writer, const char *key, const char *text, int isInternational);
int CPNG_writePixels(struct CPNG_writer *writer, const struct CPNG_picture *picture,
                     const uint8_t *pixels, size_t bytesPerRow);
void CPNG_closeWriter(struct CPNG_writer *writer);
/* libpng's sentence of the last failure. */
const char *CPNG_writerMessage(const struct CPNG_writer *writer);

/* Reading from memory, which must stay until `close`: open, header, pixels, close. */
int CPNG_openReader(struct CPNG_reader **reader, const uint8_t *bytes, size_t count);
/* Refuses pictures of more than `pixelLimit` pixels before anything is allocated for them. */
int CPNG_readHeader(struct CPNG_reader *reader, uint64_t pixelLimit, struct CPNG_picture *picture);
/* Room for height × bytesPerRow. */
int CPNG_readPixels(struct CPNG_reader *reader, uint8_t *pixels, size_t bytesPerRow);
/* Instead of that: the next row of `bytes` bytes. With the last one the rest of the file is checked. Of an
   interlaced picture all rows are kept until `close`. */
int CPNG_readRow(struct CPNG_reader *reader, uint8_t *pixels, size_t bytes);
/* The texts of the file, once the pixels are read. */
int CPNG_textCount(const struct CPNG_reader *reader);
const char *CPNG_textKey(const struct CPNG_reader *reader, int index);
const char *CPNG_textValue(const struct CPNG_reader *reader, int index);
void CPNG_closeReader(struct CPNG_reader *reader);
const char *CPNG_readerMessage(const struct CPNG_reader *reader);

/* Checking a file whose bytes arrive in parts, without keeping them: open, parts, close. */
struct CPNG_checker;
/* The largest picture: pixels, pixels of an interlaced one, and pixels of a side. */
struct CPNG_limits {
  uint64_t pixels, interlaced;
  uint32_t side;
};
int CPNG_openChecker(struct CPNG_checker **checker, const struct CPNG_limits *limits);
/* After a failure the checker may only be closed. */
int CPNG_check(struct CPNG_checker *checker, const uint8_t *bytes, size_t count);
/* Whether all rows and the end of the file have arrived, and nothing behind it. */
int CPNG_isChecked(const struct CPNG_checker *checker);
/* 0 before the header has arrived. */
uint32_t CPNG_checkedWidth(const struct CPNG_checker *checker);
uint32_t CPNG_checkedHeight(const struct CPNG_checker *checker);
void CPNG_closeChecker(struct CPNG_checker *checker);
const char *CPNG_checkerMessage(const struct CPNG_checker *checker);
