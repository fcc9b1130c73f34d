#include "Peer.hpp"

#if __has_include(<ft2build.h>)
#include <ft2build.h>
#include FT_FREETYPE_H
#include FT_OUTLINE_H

#include <vector>

namespace {
struct FreeType final : Peer {
  Target target;
  FT_Library library = nullptr;
  std::vector<FT_Vector> points;
  std::vector<char> tags;
  std::vector<short> ends;

  explicit FreeType(const Target &t) : target(t) { FT_Init_FreeType(&library); }
  ~FreeType() override { FT_Done_FreeType(library); }

  // y goes up in FreeType.
  void add(const float *p, char tag) {
    points.push_back({FT_Pos(p[0] * 64 + 0.5f), FT_Pos((target.height - p[1]) * 64 + 0.5f)});
    tags.push_back(tag);
  }

  static void span(int y, int count, const FT_Span *spans, void *user) {
    const auto &t = *static_cast<const Target *>(user);
    uint32_t *row = t.pixels + size_t(t.height - 1 - y) * t.stride;
    for (int i = 0; i < count; i++) {
      uint32_t *pixel = row + spans[i].x;
      const uint32_t rest = 255 - spans[i].coverage;
      for (int n = spans[i].len; n > 0; n--, pixel++) {
        uint32_t even = (*pixel & 0xFF00FF) * rest + 0x800080;
        even = ((even + ((even >> 8) & 0xFF00FF)) >> 8) & 0xFF00FF;
        uint32_t green = ((*pixel >> 8) & 0xFF) * rest + 0x80;
        green = (green + (green >> 8)) & 0xFF00;
        *pixel = 0xFF000000 | even | green;
      }
    }
  }

  void fill(const PeerOutline &o) override {
    points.clear();
    tags.clear();
    ends.clear();
    const float *p = o.points;
    for (int32_t i = 0; i < o.verbCount; i++) {
      switch (o.verbs[i]) {
        case 0: if (i) ends.push_back(short(points.size() - 1)); add(p, FT_CURVE_TAG_ON); p += 2; break;
        case 1: add(p, FT_CURVE_TAG_ON); p += 2; break;
        case 2: add(p, FT_CURVE_TAG_CONIC); add(p + 2, FT_CURVE_TAG_ON); p += 4; break;
        default:
          add(p, FT_CURVE_TAG_CUBIC); add(p + 2, FT_CURVE_TAG_CUBIC); add(p + 4, FT_CURVE_TAG_ON);
          p += 6;
          break;
      }
    }
    ends.push_back(short(points.size() - 1));
    FT_Outline outline{};
    outline.n_contours = short(ends.size());
    outline.n_points = short(points.size());
    outline.points = points.data();
    outline.tags = tags.data();
    outline.contours = ends.data();
    FT_Raster_Params params{};
    params.source = &outline;
    params.flags = FT_RASTER_FLAG_AA | FT_RASTER_FLAG_DIRECT | FT_RASTER_FLAG_CLIP;
    params.gray_spans = span;
    params.user = &target;
    params.clip_box = {0, 0, target.width, target.height};
    FT_Outline_Render(library, &outline, &params);
  }
};
}  // namespace

const char *freetype_name() { return "FreeType"; }
Peer *freetype_open(const Target &t) { return new FreeType(t); }
#else
const char *freetype_name() { return nullptr; }
Peer *freetype_open(const Target &) { return nullptr; }
#endif
