import { sign } from 'aws4';
import { PermanentJobError } from '../../../platform/errors.js';
import { isJsonObject, type JsonValue } from '../../../platform/json.js';
import { stringifyJson } from '../../../platform/json/exact-number.js';
import { parseJson } from '../../../platform/json/parse-json.js';
import { type AwsKeys, sentHeaders } from '../../../platform/outbound/aws-signature.js';
import type { HttpClient } from '../../../platform/outbound/http-exchange.js';
import type { ModeSettings } from '../modes/credential-modes.js';
import type { FetchedToken } from './token-cache.js';
import { notFetched, requestToken, type TokenOwner } from './token-request.js';

const STS = 'sts.amazonaws.com';
/** A role's keys are replaced this long before they end. */
const MARGIN_SECONDS = 60;
const LIFE_SECONDS = 3600;

export function ownKeys({ aws_access_key: id = '', aws_secret_key: key = '' }: ModeSettings): AwsKeys {
  return { accessKeyId: id, secretAccessKey: key };
}

/** Returns the keys of the credential's role as JSON, from AWS STS. @throws as `requestToken`. */
export async function assumeRole(
  settings: ModeSettings,
  owner: TokenOwner & { tenantId: number },
  http: HttpClient,
): Promise<FetchedToken> {
  const { aws_assumed_role_arn: role = '', aws_assumed_role_external_id: externalId } = settings;
  const body = new URLSearchParams({
    Action: 'AssumeRole',
    Version: '2011-06-15',
    RoleArn: role,
    RoleSessionName: 'fabula',
    DurationSeconds: String(LIFE_SECONDS),
    ...(externalId !== undefined && { ExternalId: externalId }),
  }).toString();
  const headers = { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' };
  const signed = sign(
    { host: STS, path: '/', method: 'POST', body, headers, service: 'sts' },
    ownKeys(settings),
  );
  const request = {
    url: `https://${STS}/`,
    method: 'POST',
    headers: sentHeaders(signed.headers ?? {}),
    body: Buffer.from(body),
    group: owner.tenantId,
  };
  const response = await requestToken(http, request, owner);
  const keys = keysIn(response.body.toString());
  if (keys === undefined) throw new PermanentJobError(notFetched(owner, `${STS} returned no keys`));
  return { token: stringifyJson(keys), seconds: LIFE_SECONDS - MARGIN_SECONDS };
}

function keysIn(text: string): AwsKeys | undefined {
  const found = at(parsed(text), 'AssumeRoleResponse', 'AssumeRoleResult', 'Credentials');
  if (!isJsonObject(found)) return undefined;
  const { AccessKeyId: accessKeyId, SecretAccessKey: secretAccessKey, SessionToken: sessionToken } = found;
  const isWhole = [accessKeyId, secretAccessKey, sessionToken].every((part) => typeof part === 'string');
  return isWhole ? ({ accessKeyId, secretAccessKey, sessionToken } as unknown as AwsKeys) : undefined;
}

function parsed(text: string): JsonValue {
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

function at(value: JsonValue, ...path: string[]): JsonValue | undefined {
  return path.reduce<JsonValue | undefined>(
    (inner, key) => (isJsonObject(inner) ? inner[key] : undefined),
    value,
  );
}
