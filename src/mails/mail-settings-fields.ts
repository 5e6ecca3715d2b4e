import Joi from 'joi';

const MAX_URL_CHARACTERS = 2_000;
const MAX_FROM_CHARACTERS = 320;

/** The URL of a mail server. Only the operator may use options in it, but for `name`. Messages do not repeat the URL, which holds a password. */
export const smtpUrlField = Joi.string()
  .max(MAX_URL_CHARACTERS)
  .custom((text: string, helpers) => (isSmtpUrl(text) ? text : helpers.error('any.invalid')))
  .messages({
    'any.invalid': '{{#label}} must be smtp:// or smtps://, with a host and without options but for name',
    'string.max': `{{#label}} must not be longer than ${MAX_URL_CHARACTERS} characters`,
  });

/** `Name <address>` or an address, on one line. */
export const mailFromField = Joi.string()
  .max(MAX_FROM_CHARACTERS)
  .pattern(/^(?:[^<>\r\n]*<[^\s@<>,;]+@[^\s@<>,;]+>|[^\s@<>,;]+@[^\s@<>,;]+)$/)
  .messages({ 'string.pattern.base': '{{#label}} must be an address, or a name and an <address>' });

function isSmtpUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, pathname, search, hash } = new URL(text);
  const isBare = (pathname === '' || pathname === '/') && hash === '' && hasKnownOptions(search);
  return (protocol === 'smtp:' || protocol === 'smtps:') && hostname !== '' && isBare;
}

/** A name of a host, or an address in brackets (RFC 5321 §4.1.3). */
const HELO_NAME =
  /^(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?)*|\[[\da-f.:]+\])$/i;

/** Whether the only option, if there is one, is the name for EHLO: others could switch encryption off. */
function hasKnownOptions(search: string): boolean {
  return [...new URLSearchParams(search)].every(
    ([key, value], index) => index === 0 && key === 'name' && HELO_NAME.test(value),
  );
}
