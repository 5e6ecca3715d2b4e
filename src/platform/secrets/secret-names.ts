import { CREDENTIAL_HEADERS } from '../headers/credential-headers.js';

/** Names whose values are secrets, however they are written: `accessToken`, `X-API-Key`, `db_passwords`. */
const SECRET =
  /(?:token|secret|password|passwd|passphrase|passcode|pwd|credential|(?:api|access|secret|private|signing|encryption|master|ssh|shared|storage|license|hmac|auth|session|subscription|functions)_?key|connection_?string|(?:^|_)(?:authorization|cookie|jwt|t?otp|(?:otp|mfa|recovery|backup)_?code))s?(?:_(?:value|hash|string))?$/;
/** Names of a plain secret. An object with such a name tells of a session, and is no secret as a whole. */
const PLAIN =
  /(?:^|_)(?:pass|signature|sig|session|sid|sess_?id|[a-z]*sessions?_?id|phpsessid|auth|oauth|pin|bearer|csrf|xsrf)$/;
/** Names that end alike and hold no secret. */
const NONE = /(?:page|next|continuation|sync|cursor|idempotency)_?tokens?$/;
/** Names of secrets that may be numbers. */
const NUMBER = /(?:password|passwd|passcode|pwd|otp|code|pin)$/;

/** Whether the value of a key is a secret: all texts in it (`whole`), or a plain one alone (`plain`). */
export function secretKindOf(key: string): 'whole' | 'plain' | undefined {
  const name = wordsOf(key);
  if (NONE.test(name)) return undefined;
  if (SECRET.test(name) || CREDENTIAL_HEADERS.has(key.toLowerCase())) return 'whole';
  return PLAIN.test(name) ? 'plain' : undefined;
}

/** Whether a number with this key is a secret too: `otp` is one, and a count of `tokens` is not. */
export function isSecretNumber(key: string): boolean {
  return secretKindOf(key) !== undefined && NUMBER.test(wordsOf(key));
}

/** Values of `pass` that tell of a result. */
const RESULT = /^(?:yes|no|y|n|true|false|ok|pass|passed|fail|failed|none|n\/a|\d{1,3}%?)$/i;

/** Whether a text under such a name tells of something else: the result of a test, or the last lines of a mail. */
export function isOrdinaryText(key: string, text: string): boolean {
  const name = wordsOf(key);
  if (/(?:^|_)pass$/.test(name)) return RESULT.test(text.trim());
  return /(?:^|_)sig(?:nature)?$/.test(name) && !/[^\s]{16}/.test(text);
}

/** More of a name is not looked at. */
const MOST_CHARACTERS = 200;

function wordsOf(key: string): string {
  const words = key.slice(-MOST_CHARACTERS).replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2');
  return words.toLowerCase().replaceAll(/[^a-z0-9]+/g, '_');
}
