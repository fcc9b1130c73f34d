#pragma once
#include "include/Peers.h"

struct Peer {
  virtual ~Peer() = default;
  virtual void fill(const PeerOutline &outline) = 0;
};

struct Target {
  uint32_t *pixels;
  int32_t width, height, stride;
};

// Each is null, or its name null, where the library is absent.
const char *agg_name();
Peer *agg_open(const Target &);
const char *freetype_name();
Peer *freetype_open(const Target &);
const char *cairo_name();
Peer *cairo_open(const Target &);
