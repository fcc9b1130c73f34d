#pragma once
#include <microhttpd.h>
#include <sys/socket.h>

/* MHD_start_daemon, MHD_get_daemon_info and MHD_get_connection_info are variadic. */

/* A daemon without a listening socket, whose epoll descriptor the caller polls. With certificate and key, in PEM, it
   speaks TLS. Limits: bytes of memory for a connection's headers and buffers, connections, those of an IP address (0:
   as many), seconds without traffic. */
static inline struct MHD_Daemon *CLibmicrohttpd_start(
    MHD_AccessHandlerCallback answer, MHD_RequestCompletedCallback completed, MHD_NotifyConnectionCallback changed,
    void *context, size_t memory, unsigned connections, unsigned perAddress, unsigned seconds, const char *certificate,
    const char *key) {
  unsigned flags = MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_NO_LISTEN_SOCKET;
  struct MHD_OptionItem tls[] = {
      {MHD_OPTION_HTTPS_MEM_CERT, 0, (void *)certificate},
      {MHD_OPTION_HTTPS_MEM_KEY, 0, (void *)key},
      /* By default, GnuTLS accepts TLS 1.0 and 1.1, which RFC 8996 forbids. */
      {MHD_OPTION_HTTPS_PRIORITIES, 0, "NORMAL:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2"},
      {MHD_OPTION_END, 0, 0},
  };
  if (certificate) flags |= MHD_USE_TLS;
  return MHD_start_daemon(
      flags, 0, 0, 0, answer, context, MHD_OPTION_NOTIFY_COMPLETED, completed, context, MHD_OPTION_NOTIFY_CONNECTION,
      changed, context, MHD_OPTION_CONNECTION_MEMORY_LIMIT, memory, MHD_OPTION_CONNECTION_LIMIT, connections,
      MHD_OPTION_PER_IP_CONNECTION_LIMIT, perAddress, MHD_OPTION_CONNECTION_TIMEOUT, seconds,
      MHD_OPTION_STRICT_FOR_CLIENT, 1, MHD_OPTION_SIGPIPE_HANDLED_BY_APP, 1, MHD_OPTION_ARRAY,
      certificate ? tls : tls + 3, MHD_OPTION_END);
}
static inline int CLibmicrohttpd_epoll(struct MHD_Daemon *daemon) {
  const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_EPOLL_FD);
  return info ? info->epoll_fd : -1;
}
static inline int CLibmicrohttpd_socket(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  return info ? info->connect_fd : -1;
}
/* Hands a connected socket over; closes it after a failure. */
static inline int CLibmicrohttpd_add(struct MHD_Daemon *daemon, int socket) {
  struct sockaddr_storage address;
  socklen_t length = sizeof address;
  address.ss_family = AF_UNSPEC;
  getpeername(socket, (struct sockaddr *)&address, &length);
  return MHD_add_connection(daemon, socket, (struct sockaddr *)&address, length) == MHD_YES;
}
/* Milliseconds until MHD_run must be called; -1: never. */
static inline int CLibmicrohttpd_timeout(struct MHD_Daemon *daemon) {
  MHD_UNSIGNED_LONG_LONG milliseconds;
  if (MHD_get_timeout(daemon, &milliseconds) != MHD_YES) return -1;
  return milliseconds > 60000 ? 60000 : (int)milliseconds;
}
/* The macros are not imported. */
static inline uint64_t CLibmicrohttpd_sizeUnknown(void) { return MHD_SIZE_UNKNOWN; }
static inline ssize_t CLibmicrohttpd_endWithError(void) { return MHD_CONTENT_READER_END_WITH_ERROR; }
/* How enumerations are imported depends on the release. */
static inline enum MHD_Result CLibmicrohttpd_yes(void) { return MHD_YES; }
static inline enum MHD_Result CLibmicrohttpd_no(void) { return MHD_NO; }
static inline int CLibmicrohttpd_isStart(enum MHD_ConnectionNotificationCode code) {
  return code == MHD_CONNECTION_NOTIFY_STARTED;
}
static inline int CLibmicrohttpd_isWhole(enum MHD_RequestTerminationCode code) {
  return code == MHD_REQUEST_TERMINATED_COMPLETED_OK;
}
static inline void CLibmicrohttpd_headers(struct MHD_Connection *connection, MHD_KeyValueIterator read, void *context) {
  MHD_get_connection_values(connection, MHD_HEADER_KIND, read, context);
}
static inline void CLibmicrohttpd_arguments(
    struct MHD_Connection *connection, MHD_KeyValueIterator read, void *context) {
  MHD_get_connection_values(connection, MHD_GET_ARGUMENT_KIND, read, context);
}
/* A response with a copy of these bytes. */
static inline struct MHD_Response *CLibmicrohttpd_response(const void *bytes, size_t count) {
  return MHD_create_response_from_buffer(count, (void *)bytes, MHD_RESPMEM_MUST_COPY);
}
