import {
  isEcdsaSigned,
  isEd25519Signed,
  isHmac,
  isRsaSigned,
  isSameSecret,
  type SignedText,
} from '../../platform/crypto/signature-check.js';
import { bytesOf } from '../../platform/text/byte-text.js';
import { holdsMarker } from '../../platform/secrets/secret-reference.js';
import { tokenKeyOf, templateErrorOf } from '../signed-token.js';
import { TemplateError } from '../../platform/text/template-error.js';
import { isNothing, textOf } from '../values/values.js';
import type { FilterTable, ValueFilter } from './value-filter.js';

/** Checks of signatures and secrets. Each gives true or false, so its key may be a credential (decision 0026). */
export const verifyFilters: FilterTable = {
  hmac_verify: verifying((signed, key) => isHmac(signed, bytesOf(textOf(key)))),
  rsa_verify: verifying((signed, key) => isRsaSigned(signed, tokenKeyOf(key))),
  ecdsa_verify: verifying((signed, key) => isEcdsaSigned(signed, tokenKeyOf(key))),
  ed25519_verify: verifying((signed, key) => isEd25519Signed(signed, tokenKeyOf(key))),
  secret_equal: checked((value, [secret]) => isSameSecret(bytesOf(textOf(value)), bytesOf(textOf(secret)))),
};

function verifying(isSigned: (signed: SignedText, key: unknown) => boolean): ValueFilter {
  return checked((value, [signature, key, digest]) => {
    const signed = {
      bytes: bytesOf(textOf(value)),
      signature: Array.isArray(signature) ? signature.map(textOf).join(' ') : textOf(signature),
      digest: isNothing(digest) ? 'SHA256' : textOf(digest),
    };
    return isSigned(signed, key);
  });
}

/** Everybody knows the text that stands for a credential: as a key it would let forged signatures pass. */
function checked(check: (value: unknown, args: readonly unknown[]) => boolean): ValueFilter {
  return (value, { args, checkTime }) => {
    checkTime();
    if (args.some((arg) => holdsMarker(textOf(arg)))) {
      throw new TemplateError('the value of the credential is not known here');
    }
    try {
      return check(value, args);
    } catch (error) {
      throw templateErrorOf(error);
    }
  };
}
