import type { IncomingHttpHeaders } from 'node:http';
import type { WebhookSecret } from './webhook-secret.js';
import {
  isFresh,
  isSignedBy,
  parseSignature,
  SIGNATURE_HEADER,
  type WebhookSignature,
} from './webhook-signature.js';

/** What a caller shows to be let in (spec §4.2). */
export interface Credentials {
  secretInUrl: string | undefined;
  headers: IncomingHttpHeaders;
  /** The forms of the URL that a signature may have been made over. */
  urls(): string[];
}

/** Decides once the raw body is there, since a signature covers it. */
export interface BodyCheck {
  accepts(rawBody: Buffer): boolean;
  /** What the body is checked with; undefined where something else has proved who is calling. */
  signature?: WebhookSignature;
}

const ACCEPTED: BodyCheck = { accepts: () => true };

/**
 * Undefined when the caller is refused whatever the body is; else the check that is left to do with it.
 * A secret in the URL decides alone; without one, Basic or a fresh signature will do.
 */
export function authenticate(
  secret: WebhookSecret,
  credentials: Credentials,
  { toleranceSeconds, nowMs }: { toleranceSeconds: number; nowMs: number },
): BodyCheck | undefined {
  const { secretInUrl, headers } = credentials;
  if (secretInUrl !== undefined) return secret.matches(secretInUrl) ? ACCEPTED : undefined;
  if (basicCarries(secret, headers.authorization)) return ACCEPTED;
  const header = headers[SIGNATURE_HEADER];
  const signature = typeof header === 'string' ? parseSignature(header) : undefined;
  const { key } = secret;
  if (key === undefined || signature === undefined) return undefined;
  if (!isFresh(signature, toleranceSeconds, nowMs)) return undefined;
  return {
    accepts: (rawBody) => isSignedBy(key, signature, { urls: credentials.urls(), rawBody }),
    signature,
  };
}

/** Scheme and credential of an `Authorization` header. */
const AUTHORIZATION = /^\s*(\S+)\s+(\S.*?)\s*$/;

/**
 * Whether `Authorization: Basic X` carries the secret, X being the secret as it is, base64 of the secret, or
 * base64 of `user:secret` (spec §4.2).
 */
export function basicCarries(secret: WebhookSecret, authorization: string | undefined): boolean {
  const [, scheme, credential] = AUTHORIZATION.exec(authorization ?? '') ?? [];
  if (credential === undefined || scheme?.toLowerCase() !== 'basic') return false;
  return credentialMatches(secret, credential);
}

/** Whether the header gives the secret away, whatever its scheme: then it must not be stored in an event. */
export function authorizationReveals(secret: WebhookSecret, authorization: string): boolean {
  const [, , credential] = AUTHORIZATION.exec(authorization) ?? [];
  return credentialMatches(secret, credential ?? authorization.trim());
}

/** Every form is compared, also after a match, so that the time does not tell which one fitted. */
function credentialMatches(secret: WebhookSecret, credential: string): boolean {
  const decoded = Buffer.from(credential, 'base64').toString('utf8');
  const password = decoded.slice(decoded.indexOf(':') + 1);
  const outcomes = [credential, decoded, password].map((candidate) => secret.matches(candidate));
  return outcomes.includes(true);
}
