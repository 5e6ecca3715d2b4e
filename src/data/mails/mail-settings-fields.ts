import Joi from 'joi';
import { mailServerIn } from './mail-server.js';
import type { MailOauth } from './mail-tokens.js';

const MAX_URL_CHARACTERS = 2_000;
const MAX_FROM_CHARACTERS = 320;

/** The URL of a mail server. Only the operator may use options in it, but for `name`. Messages do not repeat the URL, which holds a password. */
export const smtpUrlField = Joi.string()
  .max(MAX_URL_CHARACTERS)
  .custom((text: string, helpers) => (isSmtpUrl(text) ? text : helpers.error('any.invalid')))
  .messages({
    'any.invalid': '{{#label}} must be an smtp:// or smtps:// URL with a host and no options other than name',
    'string.max': `{{#label}} must not be longer than ${MAX_URL_CHARACTERS} characters`,
  });

/** `Name <address>` or an address, on one line. */
export const mailFromField = Joi.string()
  .max(MAX_FROM_CHARACTERS)
  .pattern(/^(?:[^<>\r\n]*<[^\s@<>,;]+@[^\s@<>,;]+>|[^\s@<>,;]+@[^\s@<>,;]+)$/)
  .messages({ 'string.pattern.base': '{{#label}} must be an address or Name <address>' });

/** The access by tokens, as requests give it. */
export interface SmtpOauthBody {
  token_url: string;
  client_id: string;
  client_secret?: string;
  refresh_token?: string;
  scope?: string;
}

const MAX_SECRET_CHARACTERS = 8_000;
const secretField = Joi.string().max(MAX_SECRET_CHARACTERS);

/** The access by tokens to a mail server: of the client itself, or with a refresh token. */
export const smtpOauthField = Joi.object<SmtpOauthBody>({
  token_url: Joi.string()
    .max(MAX_URL_CHARACTERS)
    .uri({ scheme: ['http', 'https'] })
    .required()
    .description('URL of the token endpoint'),
  client_id: Joi.string().max(MAX_URL_CHARACTERS).required(),
  client_secret: secretField.description('Client secret'),
  refresh_token: secretField.description(
    'Refresh token of the user who authorized access; without one, the grant is `client_credentials`',
  ),
  scope: Joi.string().max(MAX_URL_CHARACTERS).description('Requested scope'),
}).or('client_secret', 'refresh_token');

/** Returns the access that a request gives. */
export function oauthOf(body: SmtpOauthBody): MailOauth {
  return {
    tokenUrl: body.token_url,
    clientId: body.client_id,
    clientSecret: body.client_secret,
    refreshToken: body.refresh_token,
    scope: body.scope,
  };
}

/** Returns the access as answers show it, without secrets. */
export function presentOauth({
  tokenUrl,
  clientId,
  scope,
}: Pick<MailOauth, 'tokenUrl' | 'clientId' | 'scope'>) {
  return { token_url: tokenUrl, client_id: clientId, scope: scope ?? null };
}

/** Returns the access as requests give it. */
function bodyOf({ tokenUrl, clientId, clientSecret, refreshToken, scope }: MailOauth): SmtpOauthBody {
  return {
    token_url: tokenUrl,
    client_id: clientId,
    ...(clientSecret !== undefined && { client_secret: clientSecret }),
    ...(refreshToken !== undefined && { refresh_token: refreshToken }),
    ...(scope !== undefined && { scope }),
  };
}

/** Whether a decrypted mail server is one that a tenant may set; undefined: the tenant has none of its own. */
export function isMailServerOfTenant(text: string | undefined): boolean {
  if (text === undefined) return true;
  const { smtpUrl, oauth } = mailServerIn(text);
  return isAllowed(smtpUrlField.required(), smtpUrl) && (!oauth || isAllowed(smtpOauthField, bodyOf(oauth)));
}

function isAllowed(schema: Joi.Schema, value: unknown): boolean {
  return schema.validate(value).error === undefined;
}

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
