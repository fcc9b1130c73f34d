#pragma once
#include <openssl/bn.h>
#include <openssl/cms.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/provider.h>
#include <openssl/rsa.h>
#include <openssl/store.h>
#include <openssl/ui.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

/* A macro: the bytes of a memory BIO, which keeps them. */
static inline long CLibcrypto_content(BIO *memory, const uint8_t **bytes) {
  char *start = 0;
  long count = BIO_get_mem_data(memory, &start);
  *bytes = (const uint8_t *)start;
  return count;
}

/* A pointer to a function, which Swift would have to convert: reads no passphrase, does not ask for one, and notes that
   one was needed. */
static inline int CLibcrypto_noPassphrase(char *text, int size, int writing, void *isAsked) {
  (void)text, (void)size, (void)writing;
  if (isAsked) *(int *)isAsked = 1;
  return -1;
}
static inline EVP_PKEY *CLibcrypto_readKey(BIO *text, int *isAsked) {
  return PEM_read_bio_PrivateKey(text, 0, CLibcrypto_noPassphrase, isAsked);
}
/* Variadic macros. */
static inline EVP_PKEY *CLibcrypto_makeCurveKey(void) { return EVP_EC_gen("P-256"); }
static inline EVP_PKEY *CLibcrypto_makeRSAKey(unsigned bits) { return EVP_RSA_gen(bits); }
/* A stack's functions are macros: whether this certificate, and no other, has signed the content. */
static inline int CLibcrypto_isSignedBy(CMS_ContentInfo *signature, X509 *certificate, BIO *content) {
  STACK_OF(X509) *certificates = sk_X509_new_null();
  if (!certificates) return 0;
  int result = sk_X509_push(certificates, certificate) > 0 &&
    CMS_verify(signature, certificates, 0, content, 0, CMS_BINARY | CMS_NOINTERN | CMS_NO_SIGNER_CERT_VERIFY) == 1;
  sk_X509_free(certificates);
  return result;
}
static inline X509 *CLibcrypto_readCertificate(BIO *text) {
  return PEM_read_bio_X509(text, 0, CLibcrypto_noPassphrase, 0);
}
