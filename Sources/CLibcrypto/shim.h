#pragma once
#include <openssl/cms.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>

/* A macro: the bytes of a memory BIO, which keeps them. */
static inline long CLibcrypto_content(BIO *memory, const uint8_t **bytes) {
  char *start = 0;
  long count = BIO_get_mem_data(memory, &start);
  *bytes = (const uint8_t *)start;
  return count;
}

/* A pointer to a function, which Swift would have to convert: reads no passphrase, and does not ask for one. */
static inline int CLibcrypto_noPassphrase(char *text, int size, int writing, void *context) {
  (void)text, (void)size, (void)writing, (void)context;
  return -1;
}
static inline EVP_PKEY *CLibcrypto_readKey(BIO *text) {
  return PEM_read_bio_PrivateKey(text, 0, CLibcrypto_noPassphrase, 0);
}
static inline X509 *CLibcrypto_readCertificate(BIO *text) {
  return PEM_read_bio_X509(text, 0, CLibcrypto_noPassphrase, 0);
}
