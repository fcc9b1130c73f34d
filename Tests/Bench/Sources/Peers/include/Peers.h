#pragma once
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Closed contours in pixels. Verbs: 0 move (one point), 1 line (one), 2 quad (two), 3 cubic (three).
typedef struct {
  const uint8_t *verbs;
  int32_t verbCount;
  const float *points;
} PeerOutline;

/// The peers: black over an XRGB8888 picture, each through its own public interface.
typedef enum { PeerAGG, PeerFreeType, PeerCairo, PeerCount } PeerKind;

typedef struct Peer Peer;

/// Name and version, or NULL where the library was not there when the bench was built.
const char *peer_name(PeerKind kind);

/// `pixels` stays the caller's; `stride` in pixels.
Peer *peer_open(PeerKind kind, uint32_t *pixels, int32_t width, int32_t height, int32_t stride);
void peer_fill(Peer *peer, PeerOutline outline);
void peer_close(Peer *peer);

/// Copies a picture by cairo, XRGB8888 to the same or to RGB565; 0 without cairo.
int32_t peer_copy(const uint32_t *from, void *to, int32_t width, int32_t height, int32_t isRGB565);

/// Bytes of a grey picture written by libpng as it comes.
size_t png_default_size(const uint8_t *grey, int32_t width, int32_t height);

#ifdef __cplusplus
}
#endif
