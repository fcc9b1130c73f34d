#include "Peer.hpp"

const char *peer_name(PeerKind kind) {
  switch (kind) {
    case PeerAGG: return agg_name();
    case PeerFreeType: return freetype_name();
    case PeerCairo: return cairo_name();
    default: return nullptr;
  }
}

Peer *peer_open(PeerKind kind, uint32_t *pixels, int32_t width, int32_t height, int32_t stride) {
  const Target target{pixels, width, height, stride};
  switch (kind) {
    case PeerAGG: return agg_open(target);
    case PeerFreeType: return freetype_open(target);
    case PeerCairo: return cairo_open(target);
    default: return nullptr;
  }
}

void peer_fill(Peer *peer, PeerOutline outline) { peer->fill(outline); }
void peer_close(Peer *peer) { delete peer; }
