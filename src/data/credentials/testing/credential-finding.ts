import { X509Certificate } from 'node:crypto';
import { isJsonObject } from '../../../platform/json.js';
import { parseJson } from '../../../platform/json/parse-json.js';
import type { CredentialMode, ModeSettings } from '../modes/credential-modes.js';
import type { CapturedResponse } from './capturing-client.js';

/** The result of looking at what a credential gave. */
export interface CredentialFinding {
  works: boolean;
  /** The words for people, without any secret. */
  message: string;
  /** The time until which it holds; absent: no end is known. */
  expiresAt?: Date;
}

/** A credential with the text that it gave for a request. */
export interface Given {
  mode: CredentialMode;
  settings: ModeSettings;
  /** The text that is sent; for keys of AWS and certificates a mark. */
  text: string;
  /** Seconds for which actions use a token that was fetched; undefined: it was not stored. */
  keptSeconds: number | undefined;
  /** The response of the token's server; undefined: no request was needed. */
  captured: CapturedResponse | undefined;
  nowMs: number;
}

/** Returns whether what a credential gave can be used, and until when. */
export function findingOf(given: Given): CredentialFinding {
  switch (given.mode) {
    case 'TEXT':
      return ofText(given.text);
    case 'JWT':
      return ofSignedToken(given);
    case 'MTLS':
      return ofCertificate(given);
    case 'AWS':
      return given.settings.aws_authentication_type === 'ROLE' ? ofToken(given, 'Keys of the role') : OF_KEYS;
    default:
      return ofToken(given, 'A token');
  }
}

const OF_KEYS: CredentialFinding = {
  works: true,
  message: 'It signs requests. No request was sent, so only AWS can tell whether the keys are valid.',
};

function ofText(text: string): CredentialFinding {
  if (text === '') return { works: false, message: 'It has no value.' };
  const isPadded = text !== text.trim();
  return {
    works: true,
    message: isPadded
      ? 'It has a value that starts or ends with white space. It is sent unchanged.'
      : 'It has a value, which is sent unchanged.',
  };
}

function ofSignedToken({ text, nowMs }: Given): CredentialFinding {
  const claims = parseJson(Buffer.from(text.split('.')[1] ?? '', 'base64url').toString());
  const seconds = isJsonObject(claims) && claims['exp'] !== undefined ? Number(claims['exp']) : Number.NaN;
  if (Number.isNaN(seconds)) return { works: true, message: 'It signs tokens that do not expire.' };
  const expiresAt = new Date(seconds * 1000);
  if (seconds * 1000 > nowMs) return { works: true, message: 'It signs tokens.', expiresAt };
  return { works: false, message: 'It signs tokens, but their claim "exp" is in the past.', expiresAt };
}

function ofCertificate({ settings, nowMs }: Given): CredentialFinding {
  const { mtls_client_certificate: shown, mtls_root_certificate: authority = '' } = settings;
  const { validFrom, validTo } = new X509Certificate(shown ?? authority);
  const expiresAt = new Date(validTo);
  if (expiresAt.getTime() <= nowMs)
    return { works: false, message: 'The certificate has expired.', expiresAt };
  if (new Date(validFrom).getTime() > nowMs) {
    return { works: false, message: 'The certificate is not valid yet.', expiresAt };
  }
  const message =
    shown === undefined ? 'The CA certificate is valid.' : 'The certificate is valid and matches its key.';
  return { works: true, message, expiresAt };
}

function ofToken({ captured, keptSeconds, nowMs }: Given, what: string): CredentialFinding {
  if (captured === undefined) {
    return {
      works: true,
      message: 'The authorized token is stored. There is no refresh token, so no token was fetched.',
      ...endOf(keptSeconds, nowMs),
    };
  }
  if (keptSeconds === undefined) {
    return {
      works: true,
      message: `${what} came from ${captured.host}. Each run of an action fetches its own.`,
    };
  }
  return { works: true, message: `${what} came from ${captured.host}.`, ...endOf(keptSeconds, nowMs) };
}

function endOf(keptSeconds: number | undefined, nowMs: number): { expiresAt?: Date } {
  return keptSeconds === undefined ? {} : { expiresAt: new Date(nowMs + keptSeconds * 1000) };
}
