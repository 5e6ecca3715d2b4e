import { PermanentJobError } from '../../../platform/errors.js';
import { isJsonObject, type JsonObject } from '../../../platform/json.js';
import { parseJson } from '../../../platform/json/parse-json.js';
import type { HttpClient, HttpResponse } from '../../../platform/outbound/http-exchange.js';
import { headerOf } from '../../../platform/headers/header-of.js';
import { type ModeSettings, purposeOf } from '../modes/credential-modes.js';
import { askToken, notFetched, requestToken, requireSuccess, type TokenOwner } from './token-request.js';

/** The response of a token endpoint (RFC 6749 §5.1). */
export interface OauthGrant {
  accessToken: string;
  refreshToken: string | undefined;
  /** Undefined if the server does not say. */
  expiresInSeconds: number | undefined;
}

type OauthOwner = TokenOwner & { tenantId: number };

/** Asks for a token with these parameters. @throws as `requestToken`. */
export async function oauthGrant(
  settings: ModeSettings,
  parameters: Record<string, string>,
  { owner, http }: { owner: OauthOwner; http: HttpClient },
): Promise<OauthGrant> {
  const { oauth_client_id: id = '', oauth_client_secret: secret } = settings;
  // Codes and refresh tokens know their scope; some servers ask for the others again (RFC 8707 §2.2).
  const { scope: _, ...purpose } = purposeOf(settings);
  const asked = { ...purpose, ...parameters };
  const inBody = requestOf(settings, {
    ...asked,
    client_id: id,
    ...(secret && { client_secret: secret }),
  });
  const first = await askToken(http, { ...inBody, group: owner.tenantId }, owner);
  if (!refusesClient(first) || secret === undefined)
    return grantIn(requireSuccess(first, inBody, owner), owner);
  // Servers take a client's secret in the body or in a header; those that take one only refuse the other.
  const basic = Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString('base64');
  const { headers, ...rest } = requestOf(settings, asked);
  const request = {
    ...rest,
    headers: { ...headers, authorization: `Basic ${basic}` },
    group: owner.tenantId,
  };
  return grantIn(await requestToken(http, request, owner), owner);
}

function requestOf({ oauth_token_url: url = '' }: ModeSettings, parameters: Record<string, string>) {
  return {
    url,
    method: 'POST',
    headers: { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' },
    body: Buffer.from(new URLSearchParams(parameters).toString()),
  };
}

function refusesClient({ status, body }: HttpResponse): boolean {
  // A refresh token that is refused must not be sent again.
  if (body.includes('invalid_grant')) return false;
  return status === 401 || (status === 400 && body.includes('invalid_client'));
}

function grantIn(response: HttpResponse, owner: OauthOwner): OauthGrant {
  const fields = fieldsOf(response);
  const { access_token: token, refresh_token: refresh, expires_in: expires } = fields;
  if (typeof token !== 'string' || token === '') {
    throw new PermanentJobError(notFetched(owner, 'the response has no access_token'));
  }
  const seconds = Number(expires);
  return {
    accessToken: token,
    refreshToken: typeof refresh === 'string' && refresh !== '' ? refresh : undefined,
    expiresInSeconds: expires === undefined || Number.isNaN(seconds) ? undefined : seconds,
  };
}

/** JSON, or a form, which some older servers send. */
function fieldsOf({ headers, body }: HttpResponse): JsonObject {
  const text = body.toString();
  if (headerOf(headers, 'content-type')?.includes('x-www-form-urlencoded') === true) {
    return Object.fromEntries(new URLSearchParams(text));
  }
  try {
    const parsed = parseJson(text);
    return isJsonObject(parsed) ? parsed : {};
  } catch (error) {
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}
