import type { FilterDocsTable } from './filter-docs.js';

export const digestFilterDocs: FilterDocsTable = {
  md5: {
    takes: '',
    gives: 'the MD5 digest of the text, in hexadecimal',
    example: ['{{ "Ada" | md5 }}', '1a382809b7c03f686e12dd15677c5497'],
  },
  md5_base64: {
    takes: '',
    gives: 'the MD5 digest of the text, in base64',
    example: ['{{ "Ada" | md5_base64 }}', 'GjgoCbfAP2huEt0VZ3xUlw=='],
  },
  hmac_md5: {
    takes: 'key',
    gives: 'the MD5 HMAC of the text, in hexadecimal',
    example: ['{{ "Ada" | hmac_md5: "key" }}', 'f9badc8818073cb250aeb7cf4c18ba47'],
  },
  hmac_md5_base64: {
    takes: 'key',
    gives: 'the MD5 HMAC of the text, in base64',
    example: ['{{ "Ada" | hmac_md5_base64: "key" }}', '+brciBgHPLJQrrfPTBi6Rw=='],
  },
  sha1: {
    takes: '',
    gives: 'the SHA-1 digest of the text, in hexadecimal',
    example: ['{{ "Ada" | sha1 }}', '5c3cb098d52deb3f67e97b7fba960c4cf6880461'],
  },
  sha1_base64: {
    takes: '',
    gives: 'the SHA-1 digest of the text, in base64',
    example: ['{{ "Ada" | sha1_base64 }}', 'XDywmNUt6z9n6Xt/upYMTPaIBGE='],
  },
  hmac_sha1: {
    takes: 'key',
    gives: 'the SHA-1 HMAC of the text, in hexadecimal',
    example: ['{{ "Ada" | hmac_sha1: "key" }}', '0d266f8aae1933ab962ce7d29e5fcd2407fe58c7'],
  },
  hmac_sha1_base64: {
    takes: 'key',
    gives: 'the SHA-1 HMAC of the text, in base64',
    example: ['{{ "Ada" | hmac_sha1_base64: "key" }}', 'DSZviq4ZM6uWLOfSnl/NJAf+WMc='],
  },
  sha224: {
    takes: '',
    gives: 'the SHA-224 digest of the text, in hexadecimal',
    example: ['{{ "Ada" | sha224 }}', '68fadbdede67eaeadf70b7c7cedfddcdb0e626d7c7623dd87df9e053'],
  },
  sha224_base64: {
    takes: '',
    gives: 'the SHA-224 digest of the text, in base64',
    example: ['{{ "Ada" | sha224_base64 }}', 'aPrb3t5n6urfcLfHzt/dzbDmJtfHYj3YffngUw=='],
  },
  hmac_sha224: {
    takes: 'key',
    gives: 'the SHA-224 HMAC of the text, in hexadecimal',
    example: ['{{ "Ada" | hmac_sha224: "key" }}', '1dc87712edb1b2304611a2a42f39aa6c5da74b7c8c547f357f4e279a'],
  },
  hmac_sha224_base64: {
    takes: 'key',
    gives: 'the SHA-224 HMAC of the text, in base64',
    example: ['{{ "Ada" | hmac_sha224_base64: "key" }}', 'Hch3Eu2xsjBGEaKkLzmqbF2nS3yMVH81f04nmg=='],
  },
  sha256: {
    takes: '',
    gives: 'the SHA-256 digest of the text, in hexadecimal',
    example: ['{{ "Ada" | sha256 }}', '99a563ab2f6e21e96998f9fddd2a2bab82b70ac019579502b8d7fc0032ff62bb'],
  },
  sha256_base64: {
    takes: '',
    gives: 'the SHA-256 digest of the text, in base64',
    example: ['{{ "Ada" | sha256_base64 }}', 'maVjqy9uIelpmPn93Sorq4K3CsAZV5UCuNf8ADL/Yrs='],
  },
  hmac_sha256: {
    takes: 'key',
    gives: 'the SHA-256 HMAC of the text, in hexadecimal',
    example: [
      '{{ "Ada" | hmac_sha256: "key" }}',
      'c066342b76c7754f806a2b2f779b085c499fe3e4b9d920f9620c8f10911f6dbe',
    ],
  },
  hmac_sha256_base64: {
    takes: 'key',
    gives: 'the SHA-256 HMAC of the text, in base64',
    example: ['{{ "Ada" | hmac_sha256_base64: "key" }}', 'wGY0K3bHdU+Aaisvd5sIXEmf4+S52SD5YgyPEJEfbb4='],
  },
  sha384: {
    takes: '',
    gives: 'the SHA-384 digest of the text, in hexadecimal',
    example: [
      '{{ "Ada" | sha384 }}',
      '49f7c47008167674e4ae2fabcb4a360cca60042eaabb8fa0954272ae42742b0bf75094e4b5bbd15ce38bbb22c8844ea7',
    ],
  },
  sha384_base64: {
    takes: '',
    gives: 'the SHA-384 digest of the text, in base64',
    example: [
      '{{ "Ada" | sha384_base64 }}',
      'SffEcAgWdnTkri+ry0o2DMpgBC6qu4+glUJyrkJ0Kwv3UJTktbvRXOOLuyLIhE6n',
    ],
  },
  hmac_sha384: {
    takes: 'key',
    gives: 'the SHA-384 HMAC of the text, in hexadecimal',
    example: [
      '{{ "Ada" | hmac_sha384: "key" }}',
      '9c66a239fd0a450c9716bce8ba625b4c201e4154d802460617499c59cef25243dd2fe633bff01ccd827ead8eb9bfdc20',
    ],
  },
  hmac_sha384_base64: {
    takes: 'key',
    gives: 'the SHA-384 HMAC of the text, in base64',
    example: [
      '{{ "Ada" | hmac_sha384_base64: "key" }}',
      'nGaiOf0KRQyXFrzoumJbTCAeQVTYAkYGF0mcWc7yUkPdL+Yzv/AczYJ+rY65v9wg',
    ],
  },
  sha512: {
    takes: '',
    gives: 'the SHA-512 digest of the text, in hexadecimal',
    example: [
      '{{ "Ada" | sha512 }}',
      '1985df959f44963c5e1d9af8ae6e16d4d82c9751b51a443245491c15da60c6006164e507d3787eb04b583d3dca05ec430de8a1f6076e8c841be98f27baa8ec44',
    ],
  },
  sha512_base64: {
    takes: '',
    gives: 'the SHA-512 digest of the text, in base64',
    example: [
      '{{ "Ada" | sha512_base64 }}',
      'GYXflZ9EljxeHZr4rm4W1Ngsl1G1GkQyRUkcFdpgxgBhZOUH03h+sEtYPT3KBexDDeih9gdujIQb6Y8nuqjsRA==',
    ],
  },
  hmac_sha512: {
    takes: 'key',
    gives: 'the SHA-512 HMAC of the text, in hexadecimal',
    example: [
      '{{ "Ada" | hmac_sha512: "key" }}',
      'c2b9c0479f52f3bd9396161edb23e918e54aa824117c9d559814c0f4bbd57bb9fe5e904a20c439d18b9d4d124e65645a58aa6bed23b0371d66e251f9ff5b9e53',
    ],
  },
  hmac_sha512_base64: {
    takes: 'key',
    gives: 'the SHA-512 HMAC of the text, in base64',
    example: [
      '{{ "Ada" | hmac_sha512_base64: "key" }}',
      'wrnAR59S872TlhYe2yPpGOVKqCQRfJ1VmBTA9LvVe7n+XpBKIMQ50YudTRJOZWRaWKpr7SOwNx1m4lH5/1ueUw==',
    ],
  },
  hmac_verify: {
    takes: 'signature, key, digest?',
    gives: 'whether the signature, in hexadecimal or base64, is the HMAC of the text; default SHA256',
    example: ['{{ "Ada" | hmac_verify: "b53fcd6b7c0d0be5cb8d8c8d8ee9dcb1", "key" }}', false],
  },
  rsa_verify: {
    takes: 'signature, key, digest?',
    gives: 'whether the RSA key (PEM, certificate, JSON Web Key) signed the text (PKCS #1 v1.5)',
    example: [
      '{{ "Ada" | rsa_verify: "QJMqrgswxQOw9HlpR8wI3RKEWYkVOIa5uUo5J+S4KhQktz87SA4oGqex7hd7aAci9q5c2lYYyS7KrjysmRO82A==", "MFwwDQYJKoZIhvcNAQEBBQADSwAwSAJBAMcQYZDORKwLNjNciT/Im2mm9l9dkDOmnMsqr0zriC8iimHa3Dh65/9mowjWZhpK/a/Xk4DKyNjD63uWf5j9mIkCAwEAAQ==" }}',
      true,
    ],
  },
  ecdsa_verify: {
    takes: 'signature, key, digest?',
    gives: 'whether the elliptic curve key signed the text',
    example: [
      '{{ "Ada" | ecdsa_verify: "MEUCIQC8cSjPVIktjtycCHjq2rXceEL1xuaeva/80WYaa4UD+AIgDBJbogTdxaxRbtuZv406xBDQgkHRE28VOl2/k8qQmsI=", "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEPz38cyK5JtubHBi80zVbptssbgWApVZjXTKk6igONGfcOwgj8oKbgiLlT2P4H/N3iakWwfB8tzbunlAGu9P9dg==" }}',
      true,
    ],
  },
  ed25519_verify: {
    takes: 'signature, key',
    gives: 'whether the Ed25519 key signed the text; the key may be its 32 bytes in hexadecimal',
    example: [
      '{{ "Ada" | ed25519_verify: "ab", "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a" }}',
      false,
    ],
  },
  secret_equal: {
    takes: 'secret',
    gives: 'whether the text equals the secret',
    example: ['{{ "Ada" | secret_equal: "Ada" }}', true],
  },
};
