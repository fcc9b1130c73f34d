#include "Peer.hpp"

#if __has_include(<cairo.h>)
#include <cairo.h>

namespace {
struct Cairo final : Peer {
  cairo_surface_t *surface;
  cairo_t *context;

  explicit Cairo(const Target &t)
      : surface(cairo_image_surface_create_for_data(
            reinterpret_cast<unsigned char *>(t.pixels), CAIRO_FORMAT_RGB24, t.width, t.height,
            t.stride * 4)),
        context(cairo_create(surface)) {
    cairo_set_source_rgb(context, 0, 0, 0);
  }
  ~Cairo() override {
    cairo_destroy(context);
    cairo_surface_destroy(surface);
  }

  void fill(const PeerOutline &o) override {
    cairo_new_path(context);
    const float *p = o.points;
    float x = 0, y = 0;
    for (int32_t i = 0; i < o.verbCount; i++) {
      switch (o.verbs[i]) {
        case 0: if (i) cairo_close_path(context); cairo_move_to(context, p[0], p[1]); break;
        case 1: cairo_line_to(context, p[0], p[1]); break;
        case 2:
          // The same curve of degree three.
          cairo_curve_to(
              context, x + (p[0] - x) * 2 / 3, y + (p[1] - y) * 2 / 3, p[2] + (p[0] - p[2]) * 2 / 3,
              p[3] + (p[1] - p[3]) * 2 / 3, p[2], p[3]);
          p += 2;
          break;
        default: cairo_curve_to(context, p[0], p[1], p[2], p[3], p[4], p[5]); p += 4; break;
      }
      x = p[0];
      y = p[1];
      p += 2;
    }
    cairo_close_path(context);
    cairo_fill(context);
  }
};
}  // namespace

const char *cairo_name() { return "cairo"; }
Peer *cairo_open(const Target &t) { return new Cairo(t); }

int32_t peer_copy(const uint32_t *from, void *to, int32_t width, int32_t height, int32_t isRGB565) {
  const cairo_format_t format = isRGB565 ? CAIRO_FORMAT_RGB16_565 : CAIRO_FORMAT_RGB24;
  // cairo only reads it.
  auto *pixels = reinterpret_cast<unsigned char *>(const_cast<uint32_t *>(from));
  cairo_surface_t *source =
      cairo_image_surface_create_for_data(pixels, CAIRO_FORMAT_RGB24, width, height, width * 4);
  cairo_surface_t *target = cairo_image_surface_create_for_data(
      static_cast<unsigned char *>(to), format, width, height, width * (isRGB565 ? 2 : 4));
  cairo_t *context = cairo_create(target);
  cairo_set_operator(context, CAIRO_OPERATOR_SOURCE);
  cairo_set_source_surface(context, source, 0, 0);
  cairo_paint(context);
  const int32_t isCopied = cairo_status(context) == CAIRO_STATUS_SUCCESS;
  cairo_destroy(context);
  cairo_surface_destroy(target);
  cairo_surface_destroy(source);
  return isCopied;
}
#else
int32_t peer_copy(const uint32_t *, void *, int32_t, int32_t, int32_t) { return 0; }

const char *cairo_name() { return nullptr; }
Peer *cairo_open(const Target &) { return nullptr; }
#endif
