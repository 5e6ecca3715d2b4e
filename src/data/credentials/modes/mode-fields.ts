import Joi from 'joi';
import { isJsonObject, type JsonObject } from '../../../platform/json.js';
import { parseJson } from '../../../platform/json/parse-json.js';
import type { SettingName } from './credential-modes.js';

/** Maximum length of a credential's value, in characters. */
export const MAX_VALUE_CHARACTERS = 1_000_000;

const ABSENT = Joi.valid(null, '');
const MAX_URL = 2_000;
/** The longest time that a token is kept: 30 days. */
const MAX_TTL_SECONDS = 30 * 24 * 60 * 60;
/** Requests that lead to one token. */
const MAX_REQUESTS = 5;

const secret = () => Joi.string().max(MAX_VALUE_CHARACTERS).empty(ABSENT);
const text = () => Joi.string().max(10_000).empty(ABSENT);
const address = () =>
  Joi.string()
    .max(MAX_URL)
    .uri({ scheme: ['http', 'https'] })
    .empty(ABSENT);

/** An object, or the JSON text of one. The messages do not repeat it: it may hold a secret. */
const objectField = () =>
  Joi.any()
    .empty(ABSENT)
    .custom((value: unknown, helpers) => objectOf(value) ?? helpers.error('json.object'))
    .messages({ 'json.object': '{{#label}} must be an object or its JSON text' });

function objectOf(value: unknown): JsonObject | undefined {
  if (isJsonObject(value)) return value;
  if (typeof value !== 'string') return undefined;
  try {
    const parsed = parseJson(value);
    return isJsonObject(parsed) ? parsed : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** The settings of all modes in a body; null and an empty text mean absent. */
export const modeFields: Record<SettingName, Joi.Schema> = {
  value: secret().description('`TEXT`: the secret'),
  jwt_algorithm: Joi.string()
    .pattern(/^(?:HS|RS|PS|ES)(?:256|384|512)$/)
    .empty(ABSENT)
    .messages({
      'string.pattern.base': '{{#label}} must be HS256, RS256, PS256 or ES256, or their 384 or 512 variant',
    })
    .description('`JWT`: by default RS256, or HS256 with `jwt_hs256_secret`'),
  jwt_payload: objectField().description('`JWT`: the claims'),
  jwt_private_key: secret().description(
    '`JWT`: the private key in PEM form, or the secret of an HS algorithm',
  ),
  jwt_hs256_secret: secret().description('`JWT`: the secret of an HS algorithm'),
  jwt_auto_generate_time_claims: Joi.boolean()
    .empty(ABSENT)
    .description('`JWT`: adds `iat` (now) and `exp` (in one hour)'),
  http_request_options: objectField().description(
    '`HTTP_REQUEST_AGENT`: options of the HTTP request that fetches the token; `<<secret>>` is replaced by `http_request_secret`',
  ),
  http_request_location_of_token: text().description(
    'Path of the token in the response: `=response.body.access_token`',
  ),
  http_request_secret: secret().description('`HTTP_REQUEST_AGENT`: `<<secret>>` of the options'),
  http_request_ttl: Joi.number()
    .integer()
    .min(1)
    .max(MAX_TTL_SECONDS)
    .empty(ABSENT)
    .description('Token lifetime in seconds. By default, each run of an action fetches a new token'),
  credential_requests: Joi.array()
    .items(
      Joi.object({
        options: objectField().required().description('The options of an HTTP request'),
        http_request_secret: secret().description('`<<secret>>` of these options'),
      }),
    )
    .min(1)
    .max(MAX_REQUESTS)
    .empty(null)
    .description('`MULTI_REQUEST`: requests sent in sequence; each can use the previous responses'),
  oauth_grant_type: Joi.string()
    .valid('client_credentials', 'authorization_code')
    .empty(ABSENT)
    .description('`OAUTH`'),
  oauth_url: address().description('`OAUTH`: authorization URL, for `authorization_code`'),
  oauth_token_url: address().description('`OAUTH`: token URL'),
  oauth_client_id: text().description('`OAUTH`'),
  oauth_client_secret: secret().description('`OAUTH`'),
  oauth_scope: text().description('`OAUTH`: scopes, separated by spaces'),
  oauth_audience: text().description('`OAUTH`: the parameter `audience`, required by Auth0'),
  oauth_resource: text().description('`OAUTH`: the parameter `resource` (RFC 8707)'),
  oauthPkceCodeChallengeMethod: Joi.string()
    .valid('S256', 'plain')
    .empty(ABSENT)
    .description('`OAUTH`: PKCE method, for `authorization_code`'),
  aws_authentication_type: Joi.string()
    .valid('KEY', 'ROLE')
    .empty(ABSENT)
    .description('`AWS`: `KEY` by default'),
  aws_access_key: text().description('`AWS`: the id of the access key'),
  aws_secret_key: secret().description('`AWS`'),
  aws_assumed_role_arn: text().description('`AWS`: the role to assume'),
  aws_assumed_role_external_id: text().description('`AWS`: the external id of the role'),
  mtls_client_certificate: secret().description('`MTLS`: the certificate in PEM form'),
  mtls_client_private_key: secret().description('`MTLS`: its private key in PEM form'),
  mtls_root_certificate: secret().description(
    '`MTLS`: CA certificate of the server; on its own, it is only trusted, and no client certificate is sent',
  ),
};
