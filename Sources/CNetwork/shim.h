/* TCP sockets: casts and unions of addresses, which Swift cannot import. */
#pragma once
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* Listens at an address in digits. Returns the descriptor; -1 and errno. */
static inline int CNetwork_listen(const char *address, uint16_t port) {
  struct sockaddr_in four;
  struct sockaddr_in6 six;
  struct sockaddr *place = (struct sockaddr *)&four;
  socklen_t length = sizeof four;
  memset(&four, 0, sizeof four);
  memset(&six, 0, sizeof six);
  four.sin_family = AF_INET;
  four.sin_port = htons(port);
  six.sin6_family = AF_INET6;
  six.sin6_port = htons(port);
  if (inet_pton(AF_INET, address, &four.sin_addr) != 1) {
    if (inet_pton(AF_INET6, address, &six.sin6_addr) != 1) {
      errno = EINVAL;
      return -1;
    }
    place = (struct sockaddr *)&six;
    length = sizeof six;
  }
  int descriptor = socket(place->sa_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (descriptor < 0) return -1;
  int on = 1;
  setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (place->sa_family == AF_INET6) setsockopt(descriptor, IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof on);
  if (bind(descriptor, place, length) == 0 && listen(descriptor, 64) == 0) return descriptor;
  int error = errno;
  close(descriptor);
  errno = error;
  return -1;
}

/* What a listening socket is: 0 a Unix socket, 1 loopback, 2 beyond this machine; -1 and errno. The port of TCP. */
static inline int CNetwork_reach(int descriptor, uint16_t *port) {
  struct sockaddr_storage address;
  socklen_t length = sizeof address;
  if (getsockname(descriptor, (struct sockaddr *)&address, &length) != 0) return -1;
  if (address.ss_family == AF_UNIX) return 0;
  if (address.ss_family == AF_INET) {
    const struct sockaddr_in *four = (const struct sockaddr_in *)&address;
    *port = ntohs(four->sin_port);
    return ntohl(four->sin_addr.s_addr) >> 24 == 127 ? 1 : 2;
  }
  if (address.ss_family == AF_INET6) {
    const struct sockaddr_in6 *six = (const struct sockaddr_in6 *)&address;
    *port = ntohs(six->sin6_port);
    return memcmp(&six->sin6_addr, &in6addr_loopback, 16) == 0 ? 1 : 2;
  }
  errno = EAFNOSUPPORT;
  return -1;
}

/* Events leave at once. A peer that does not acknowledge for 20 s is gone; after 20 s of silence it is asked, and gone
   if it has not answered 5 s later (tcp(7): TCP_USER_TIMEOUT overrides the number of probes, not their interval of 75 s).
   The kernel holds 256 KiB of a connection at most: twice SO_SNDBUF (socket(7)). */
static inline void CNetwork_tune(int descriptor) {
  int on = 1, milliseconds = 20000, idle = 20, interval = 5, bytes = 128 << 10;
  setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  setsockopt(descriptor, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
  setsockopt(descriptor, IPPROTO_TCP, TCP_KEEPIDLE, &idle, sizeof idle);
  setsockopt(descriptor, IPPROTO_TCP, TCP_KEEPINTVL, &interval, sizeof interval);
  setsockopt(descriptor, IPPROTO_TCP, TCP_USER_TIMEOUT, &milliseconds, sizeof milliseconds);
  setsockopt(descriptor, SOL_SOCKET, SO_SNDBUF, &bytes, sizeof bytes);
}
