#include "CArithmetic.h"

#include <math.h>

typedef struct { CPoint left, right; } Across;

static float distance(float ax, float ay, float bx, float by) {
  const float dx = bx - ax, dy = by - ay;
  return sqrtf(dx * dx + dy * dy);
}

static float weight(float length) { return (length < 50 ? 50 - length : 0) * 0.1f + 2; }

static Across across(const CWeighted *at, const CWeighted *from, const CWeighted *to) {
  const float dx = to->x - from->x, dy = to->y - from->y;
  const float length = sqrtf(dx * dx + dy * dy);
  if (length == 0 || at->weight == 0) return (Across){{at->x, at->y}, {at->x, at->y}};
  const float k = at->weight / (2 * length);
  return (Across){{at->x + dy * k, at->y - dx * k}, {at->x - dy * k, at->y + dx * k}};
}

static CPoint middle(CPoint a, CPoint b) { return (CPoint){(a.x + b.x) / 2, (a.y + b.y) / 2}; }

static Across turn(const CWeighted *before, const CWeighted *at, const CWeighted *after) {
  const Across a = across(at, before, at), b = across(at, at, after);
  return (Across){middle(a.left, b.left), middle(a.right, b.right)};
}

static void outline(const CWeighted *p, int32_t count, COutline *out) {
  out->kind = count;
  if (count == 1) {
    out->points[0] = (CPoint){p->x, p->y};
    out->radius = p->weight;
    return;
  }
  Across sides[4];
  sides[0] = across(&p[0], &p[0], &p[1]);
  for (int32_t i = 1; i < count - 1; i++) sides[i] = turn(&p[i - 1], &p[i], &p[i + 1]);
  sides[count - 1] = across(&p[count - 1], &p[count - 2], &p[count - 1]);
  for (int32_t i = 0; i < count; i++) {
    out->points[i] = sides[i].left;
    out->points[2 * count - 1 - i] = sides[i].right;
  }
}

void arithmetic_begin(CProvider *provider) { provider->count = 0; }

int32_t arithmetic_add(CProvider *provider, float x, float y, COutline *tail, COutline *finalised) {
  CWeighted *p = provider->points;
  int32_t flags = 1;
  if (provider->count == 0) {
    p[0] = (CWeighted){x, y, 3};
    provider->count = 1;
  } else {
    const CWeighted last = p[provider->count - 1];
    const float length = distance(last.x, last.y, x, y);
    if (length < 2) return 0;
    if (provider->count == 4) {
      const float mx = (p[2].x + x) / 2, my = (p[2].y + y) / 2;
      p[3] = (CWeighted){mx, my, weight(distance(p[2].x, p[2].y, mx, my))};
      outline(p, 4, finalised);
      flags |= 2;
      p[0] = p[3];
      provider->count = 1;
    }
    p[provider->count++] = (CWeighted){x, y, weight(length)};
  }
  outline(p, provider->count, tail);
  return flags;
}
