import { SIGNATURE_HEADER } from '../../../platform/crypto/call-signature.js';
import type { IncomingHttpHeaders } from 'node:http';
import type { WebhookSecret } from './webhook-secret.js';
import { isFresh, isSignedBy, parseSignature, type WebhookSignature } from './webhook-signature.js';

/** The credentials that a client sends (spec §4.2). */
export interface WebhookCredentials {
  secretInUrl: string | undefined;
  headers: IncomingHttpHeaders;
  /** The forms of the URL that the client may have signed. */
  urls(): string[];
}

/** Decides when the raw body has been read, because a signature covers it. */
export interface BodyCheck {
  accepts(rawBody: Buffer): boolean;
  /** The signature that the body is checked against; undefined if a secret has already authenticated the client. */
  signature?: WebhookSignature;
}

const ACCEPTED: BodyCheck = { accepts: () => true };

/**
 * Returns undefined if the client is refused whatever the body is; otherwise the check that the body still needs.
 * A secret in the URL decides alone. Without one, Basic or a fresh signature is enough.
 */
export function authenticate(
  secret: WebhookSecret,
  credentials: WebhookCredentials,
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
const AUTHORIZATION = /^[ \t]*([^ \t]+)[ \t]+([^ \t].*?)[ \t]*$/;

/**
 * Whether `Authorization: Basic X` carries the secret. X may be the secret itself, base64 of the secret, or
 * base64 of `user:secret` (spec §4.2); characters beyond ASCII as UTF-8 or Latin-1.
 */
function basicCarries(secret: WebhookSecret, authorization: string | undefined): boolean {
  const [, scheme, credential] = AUTHORIZATION.exec(authorization ?? '') ?? [];
  if (credential === undefined || scheme?.toLowerCase() !== 'basic') return false;
  return credentialMatches(secret, credential);
}

/** Whether the header reveals the secret, whatever its scheme: then an event must not store it. */
export function authorizationReveals(secret: WebhookSecret, authorization: string): boolean {
  const [, , credential] = AUTHORIZATION.exec(authorization) ?? [];
  return credentialMatches(secret, credential ?? authorization.trim());
}

/** Compares every form, also after a match, so that the duration does not reveal which form matched. */
function credentialMatches(secret: WebhookSecret, credential: string): boolean {
  const bytes = Buffer.from(credential, 'base64');
  const decoded = [bytes.toString('utf8'), bytes.toString('latin1')];
  const passwords = decoded.map((text) => text.slice(text.indexOf(':') + 1));
  // A header has one character for each byte.
  const sent = [credential, Buffer.from(credential, 'latin1').toString('utf8')];
  const outcomes = [...sent, ...decoded, ...passwords].map((candidate) => secret.matches(candidate));
  return outcomes.includes(true);
}
