#pragma once
#include <openssl/cms.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

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
/* A stack's functions are macros: whether this certificate, and no other, has signed the content. */
static inline int CLibcrypto_isSignedBy(CMS_ContentInfo *signature, X509 *certificate, BIO *content) {
  STACK_OF(X509) *certificates = sk_X509_new_null();
  if (!certificates) return 0;
  int result = sk_X509_push(certificates, certificate) > 0 &&
    CMS_verify(signature, certificates, 0, content, 0, CMS_BINARY | CMS_NOINTERN | CMS_NO_SIGNER_CERT_VERIFY) == 1;
  sk_X509_free(certificates);
  return result;
}
/* The certificate of the only signer if it leads to one of these authorities (PEM) at a time, and has signed the content;
   NULL otherwise. Its purpose may be any: an authority of pads need not know of e-mail. */
static inline X509 *CLibcrypto_certifiedSigner(CMS_ContentInfo *signature, BIO *authorities, time_t time, BIO *content,
    int *count) {
  X509_STORE *store = X509_STORE_new();
  X509 *authority, *signer = 0;
  *count = 0;
  if (!store) return 0;
  while ((authority = PEM_read_bio_X509(authorities, 0, CLibcrypto_noPassphrase, 0))) {
    *count += X509_STORE_add_cert(store, authority) == 1;
    X509_free(authority);
  }
  ERR_clear_error();
  X509_VERIFY_PARAM *rules = X509_STORE_get0_param(store);
  X509_VERIFY_PARAM_set_time(rules, time);
  X509_VERIFY_PARAM_set_flags(rules, X509_V_FLAG_PARTIAL_CHAIN);
  X509_VERIFY_PARAM_set_purpose(rules, X509_PURPOSE_ANY);
  if (*count && CMS_verify(signature, 0, store, content, 0, CMS_BINARY) == 1) {
    STACK_OF(X509) *signers = CMS_get0_signers(signature);
    if (sk_X509_num(signers) == 1) {
      signer = sk_X509_value(signers, 0);
      X509_up_ref(signer);
    }
    sk_X509_free(signers);
  }
  X509_STORE_free(store);
  return signer;
}
/* Why the last call has failed; NULL: unknown. */
static inline const char *CLibcrypto_lastDetail(void) {
  const char *text = 0;
  int flags = 0;
  ERR_peek_last_error_data(&text, &flags);
  return flags & ERR_TXT_STRING ? text : 0;
}
static inline X509 *CLibcrypto_readCertificate(BIO *text) {
  return PEM_read_bio_X509(text, 0, CLibcrypto_noPassphrase, 0);
}
