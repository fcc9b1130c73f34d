#include "Peer.hpp"

#if __has_include(<agg_rasterizer_scanline_aa.h>)
#include <agg_conv_curve.h>
#include <agg_path_storage.h>
#include <agg_pixfmt_rgba.h>
#include <agg_rasterizer_scanline_aa.h>
#include <agg_renderer_base.h>
#include <agg_renderer_scanline.h>
#include <agg_rendering_buffer.h>
#include <agg_scanline_u.h>

namespace {
struct AGG final : Peer {
  using Format = agg::pixfmt_bgra32;
  using Base = agg::renderer_base<Format>;

  agg::rendering_buffer buffer;
  Format format;
  Base base;
  agg::renderer_scanline_aa_solid<Base> renderer;
  agg::rasterizer_scanline_aa<> rasterizer;
  agg::scanline_u8 scanline;
  agg::path_storage path;
  agg::conv_curve<agg::path_storage> curves;

  explicit AGG(const Target &t)
      : buffer(reinterpret_cast<agg::int8u *>(t.pixels), t.width, t.height, t.stride * 4),
        format(buffer), base(format), renderer(base), curves(path) {
    renderer.color(agg::rgba8(0, 0, 0));
  }

  void fill(const PeerOutline &o) override {
    path.remove_all();
    const float *p = o.points;
    for (int32_t i = 0; i < o.verbCount; i++) {
      switch (o.verbs[i]) {
        case 0: if (i) path.close_polygon(); path.move_to(p[0], p[1]); p += 2; break;
        case 1: path.line_to(p[0], p[1]); p += 2; break;
        case 2: path.curve3(p[0], p[1], p[2], p[3]); p += 4; break;
        default: path.curve4(p[0], p[1], p[2], p[3], p[4], p[5]); p += 6; break;
      }
    }
    path.close_polygon();
    rasterizer.reset();
    rasterizer.add_path(curves);
    agg::render_scanlines(rasterizer, scanline, renderer);
  }
};
}  // namespace

const char *agg_name() { return "AGG"; }
Peer *agg_open(const Target &t) { return new AGG(t); }
#else
const char *agg_name() { return nullptr; }
Peer *agg_open(const Target &) { return nullptr; }
#endif
