#pragma once
#include <curl/curl.h>

/* curl_easy_setopt and curl_easy_getinfo are variadic; one function for each kind of argument. */
static inline CURLcode CLibcurl_setText(CURL *handle, CURLoption option, const char *value) {
  return curl_easy_setopt(handle, option, value);
}
static inline CURLcode CLibcurl_setLong(CURL *handle, CURLoption option, long value) {
  return curl_easy_setopt(handle, option, value);
}
static inline CURLcode CLibcurl_setSize(CURL *handle, CURLoption option, curl_off_t value) {
  return curl_easy_setopt(handle, option, value);
}
static inline CURLcode CLibcurl_setPointer(CURL *handle, CURLoption option, const void *value) {
  return curl_easy_setopt(handle, option, value);
}
static inline CURLcode CLibcurl_setList(CURL *handle, CURLoption option, struct curl_slist *value) {
  return curl_easy_setopt(handle, option, value);
}
static inline CURLcode CLibcurl_setReceiver(CURL *handle, size_t (*receive)(char *, size_t, size_t, void *)) {
  return curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, receive);
}
static inline CURLcode CLibcurl_setHeaderReceiver(CURL *handle, size_t (*receive)(char *, size_t, size_t, void *)) {
  return curl_easy_setopt(handle, CURLOPT_HEADERFUNCTION, receive);
}
static inline CURLcode CLibcurl_setProgress(
    CURL *handle, int (*progress)(void *, curl_off_t, curl_off_t, curl_off_t, curl_off_t)) {
  return curl_easy_setopt(handle, CURLOPT_XFERINFOFUNCTION, progress);
}
/* Connections that handles of one thread share; null without memory. */
static inline CURLSH *CLibcurl_share(void) {
  CURLSH *share = curl_share_init();
  if (!share) return share;
  curl_share_setopt(share, CURLSHOPT_SHARE, CURL_LOCK_DATA_CONNECT);
  curl_share_setopt(share, CURLSHOPT_SHARE, CURL_LOCK_DATA_DNS);
  curl_share_setopt(share, CURLSHOPT_SHARE, CURL_LOCK_DATA_SSL_SESSION);
  return share;
}
static inline long CLibcurl_status(CURL *handle) {
  long status = 0;
  curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &status);
  return status;
}
static inline int64_t CLibcurl_retryAfter(CURL *handle) {
  curl_off_t seconds = 0;
  curl_easy_getinfo(handle, CURLINFO_RETRY_AFTER, &seconds);
  return seconds;
}

/* The option that takes names came with 7.85, and the one before it is deprecated since. */
static inline CURLcode CLibcurl_allowHTTP(CURL *handle, int secureOnly) {
#if LIBCURL_VERSION_NUM >= 0x075500
  const char *redirects = secureOnly ? "https" : "http,https";
  CURLcode result = curl_easy_setopt(handle, CURLOPT_PROTOCOLS_STR, "http,https");
  return result ? result : curl_easy_setopt(handle, CURLOPT_REDIR_PROTOCOLS_STR, redirects);
#else
  long redirects = secureOnly ? CURLPROTO_HTTPS : CURLPROTO_HTTP | CURLPROTO_HTTPS;
  CURLcode result = curl_easy_setopt(handle, CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
  return result ? result : curl_easy_setopt(handle, CURLOPT_REDIR_PROTOCOLS, redirects);
#endif
}
