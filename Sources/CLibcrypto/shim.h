#pragma once
#include <openssl/bn.h>
#include <openssl/cms.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/provider.h>
#include <openssl/rand.h>
#include <openssl/rsa.h>
#include <openssl/store.h>
#include <openssl/ts.h>
#include <openssl/ui.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>
#include <string.h>

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
/* A stack's functions are macros: whether the signature is valid, and each signer has one of these certificates (PEM). */
static inline int CLibcrypto_isSignedBy(CMS_ContentInfo *signature, BIO *text, BIO *content) {
  STACK_OF(X509) *certificates = sk_X509_new_null();
  if (!certificates) return 0;
  int result = 1;
  for (X509 *certificate; result && (certificate = PEM_read_bio_X509(text, 0, CLibcrypto_noPassphrase, 0));) {
    result = sk_X509_push(certificates, certificate) > 0;
    if (!result) X509_free(certificate);
  }
  ERR_clear_error();
  result = result &&
    CMS_verify(signature, certificates, 0, content, 0, CMS_BINARY | CMS_NOINTERN | CMS_NO_SIGNER_CERT_VERIFY) == 1;
  sk_X509_pop_free(certificates, X509_free);
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
/* Whether the extended key usage of a certificate, if it has any, allows signatures of documents: any use, e-mail, code,
   or documents (RFC 9336), also as Microsoft and Adobe name these. One of a TLS server does not. */
static inline int CLibcrypto_mayBeUsedToSign(X509 *certificate) {
  static const char *const names[] = {"2.5.29.37.0", "1.3.6.1.5.5.7.3.4", "1.3.6.1.5.5.7.3.3", "1.3.6.1.5.5.7.3.36",
    "1.3.6.1.4.1.311.10.3.12", "1.2.840.113583.1.1.5"};
  if (X509_get_ext_by_NID(certificate, NID_ext_key_usage, -1) < 0) return 1;
  EXTENDED_KEY_USAGE *uses = X509_get_ext_d2i(certificate, NID_ext_key_usage, 0, 0);
  int result = 0;
  for (int index = 0; index < sk_ASN1_OBJECT_num(uses); index++) {
    char name[80];
    OBJ_obj2txt(name, sizeof name, sk_ASN1_OBJECT_value(uses, index), 1);
    for (unsigned place = 0; place < sizeof names / sizeof *names; place++) result |= !strcmp(name, names[place]);
  }
  sk_ASN1_OBJECT_pop_free(uses, ASN1_OBJECT_free);
  return result;
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

/* Time stamps (RFC 3161). Stacks' functions are macros, and the setters of TS_VERIFY_CTX have other names from OpenSSL 3.4 on. */

/* Adds all certificates of a text to a store; their number, or -1 if the text has anything else. */
static inline int CLibcrypto_readAuthorities(BIO *text, X509_STORE *store) {
  int count = 0;
  for (X509 *certificate; (certificate = CLibcrypto_readCertificate(text)); count++) {
    int added = X509_STORE_add_cert(store, certificate);
    X509_free(certificate);
    if (!added) return -1;
  }
  if (ERR_GET_REASON(ERR_peek_last_error()) != PEM_R_NO_START_LINE) return -1;
  ERR_clear_error();
  return count;
}
/* The status of a response: RFC 3161, 2.4.2. */
static inline long CLibcrypto_status(TS_RESP *response) {
  return ASN1_INTEGER_get(TS_STATUS_INFO_get0_status(TS_RESP_get_status_info(response)));
}
static inline int CLibcrypto_hasFailure(TS_RESP *response, int bit) {
  const ASN1_BIT_STRING *failure = TS_STATUS_INFO_get0_failure_info(TS_RESP_get_status_info(response));
  return failure && ASN1_BIT_STRING_get_bit(failure, bit);
}
/* The first text of the status, which is not terminated; NULL: none. */
static inline const uint8_t *CLibcrypto_statusText(TS_RESP *response, int *count) {
  const STACK_OF(ASN1_UTF8STRING) *texts = TS_STATUS_INFO_get0_text(TS_RESP_get_status_info(response));
  if (!texts || sk_ASN1_UTF8STRING_num(texts) < 1) return 0;
  const ASN1_UTF8STRING *text = sk_ASN1_UTF8STRING_value(texts, 0);
  *count = ASN1_STRING_length(text);
  return ASN1_STRING_get0_data(text);
}
/* The digest that a token is of, in bytes; 0: unknown here. */
static inline int CLibcrypto_digestSize(TS_TST_INFO *info) {
  const ASN1_OBJECT *name = 0;
  X509_ALGOR_get0(&name, 0, 0, TS_MSG_IMPRINT_get_algo(TS_TST_INFO_get_msg_imprint(info)));
  const EVP_MD *digest = EVP_get_digestbyobj(name);
  return digest ? EVP_MD_get_size(digest) : 0;
}
/* Whether the token is of these bytes, and signed by an authority of the store as it was trusted at this time. */
static inline int CLibcrypto_isStamped(TS_RESP *response, X509_STORE *store, int64_t time, const uint8_t *bytes,
  int count) {
  X509_VERIFY_PARAM *parameters = X509_STORE_get0_param(store);
  /* The signer's own certificate, or one between it and a root, may be trusted too. */
  if (!X509_VERIFY_PARAM_set_flags(parameters, X509_V_FLAG_PARTIAL_CHAIN)) return 0;
  X509_VERIFY_PARAM_set_time(parameters, (time_t)time);
  TS_VERIFY_CTX *context = TS_VERIFY_CTX_new();
  BIO *content = BIO_new_mem_buf(count ? bytes : (const uint8_t *)"", count);
  if (!context || !content || !X509_STORE_up_ref(store)) {
    BIO_free(content);
    TS_VERIFY_CTX_free(context);
    return 0;
  }
  TS_VERIFY_CTX_set_flags(context, TS_VFY_VERSION | TS_VFY_DATA | TS_VFY_SIGNATURE | TS_VFY_SIGNER);
  /* The context owns both. */
#if OPENSSL_VERSION_NUMBER >= 0x30400000L
  TS_VERIFY_CTX_set0_data(context, content);
  TS_VERIFY_CTX_set0_store(context, store);
#else
  TS_VERIFY_CTX_set_data(context, content);
  TS_VERIFY_CTX_set_store(context, store);
#endif
  int result = TS_RESP_verify_response(context, response) == 1;
  TS_VERIFY_CTX_free(context);
  return result;
}
/* The size of the digest by which the only signer of the token signs, in bytes; 0: unknown. */
static inline int CLibcrypto_stampDigestSize(TS_RESP *response) {
  STACK_OF(PKCS7_SIGNER_INFO) *signers = PKCS7_get_signer_info(TS_RESP_get_token(response));
  if (!signers || sk_PKCS7_SIGNER_INFO_num(signers) != 1) return 0;
  X509_ALGOR *algorithm = 0;
  PKCS7_SIGNER_INFO_get0_algs(sk_PKCS7_SIGNER_INFO_value(signers, 0), 0, &algorithm, 0);
  const ASN1_OBJECT *name = 0;
  if (algorithm) X509_ALGOR_get0(&name, 0, 0, algorithm);
  const EVP_MD *digest = name ? EVP_get_digestbyobj(name) : 0;
  return digest ? EVP_MD_get_size(digest) : 0;
}
/* The signer's certificate, which the token owns; NULL: none, or several. */
static inline X509 *CLibcrypto_stampSigner(TS_RESP *response) {
  STACK_OF(X509) *signers = PKCS7_get0_signers(TS_RESP_get_token(response), 0, 0);
  X509 *signer = signers && sk_X509_num(signers) == 1 ? sk_X509_value(signers, 0) : 0;
  sk_X509_free(signers);
  return signer;
}
