import { verifyFilters } from '../../../filters/verify-filters.js';
import type { FunctionTable } from '../formula-function.js';
import { viaFilter } from '../via-filter.js';

const ED25519 = {
  key: '"d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"',
  signature:
    '"e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b"',
};
const SIGNATURE = 'the signature is hexadecimal or base64, alone or in a list such as `t=1,v1=ab`';
const KEY = 'the key is a PEM text, a certificate, a JSON Web Key, or base64 of its DER form';

/** Checks of signatures. Their key may be a credential, since they give only true or false (decision 0026). */
export const verifyFunctions: FunctionTable = {
  HMAC_VERIFY: {
    takes: 'text, signature, key, digest?',
    gives: `whether the signature is the HMAC of the text; ${SIGNATURE}; the digest is SHA1, SHA256 (default), SHA384 or SHA512`,
    example: ['HMAC_VERIFY("abc", HMAC_SHA256("abc", "key"), "key")', true],
    run: viaFilter(verifyFilters['hmac_verify']),
  },
  RSA_VERIFY: {
    takes: 'text, signature, key, digest?',
    gives: `whether the RSA key signed the text (PKCS #1 v1.5), digests as above; ${KEY}`,
    example: [
      'RSA_VERIFY("Ada", "QJMqrgswxQOw9HlpR8wI3RKEWYkVOIa5uUo5J+S4KhQktz87SA4oGqex7hd7aAci9q5c2lYYyS7KrjysmRO82A==", "MFwwDQYJKoZIhvcNAQEBBQADSwAwSAJBAMcQYZDORKwLNjNciT/Im2mm9l9dkDOmnMsqr0zriC8iimHa3Dh65/9mowjWZhpK/a/Xk4DKyNjD63uWf5j9mIkCAwEAAQ==")',
      true,
    ],
    run: viaFilter(verifyFilters['rsa_verify']),
  },
  ECDSA_VERIFY: {
    takes: 'text, signature, key, digest?',
    gives: 'whether the elliptic curve key signed the text; keys and digests as above',
    example: [
      'ECDSA_VERIFY("Ada", "MEUCIQC8cSjPVIktjtycCHjq2rXceEL1xuaeva/80WYaa4UD+AIgDBJbogTdxaxRbtuZv406xBDQgkHRE28VOl2/k8qQmsI=", "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEPz38cyK5JtubHBi80zVbptssbgWApVZjXTKk6igONGfcOwgj8oKbgiLlT2P4H/N3iakWwfB8tzbunlAGu9P9dg==")',
      true,
    ],
    run: viaFilter(verifyFilters['ecdsa_verify']),
  },
  ED25519_VERIFY: {
    takes: 'text, signature, key',
    gives:
      'whether the Ed25519 key signed the text; the key may also be its 32 bytes in hexadecimal or base64',
    example: [`ED25519_VERIFY("", ${ED25519.signature}, ${ED25519.key})`, true],
    run: viaFilter(verifyFilters['ed25519_verify']),
  },
  SECRET_EQUAL: {
    takes: 'text, secret',
    gives: 'whether a text, such as the token in a header, equals the secret',
    example: ['SECRET_EQUAL("guess", "secret")', false],
    run: viaFilter(verifyFilters['secret_equal']),
  },
};
