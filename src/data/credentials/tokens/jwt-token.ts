import { TemplateError } from '../../../platform/text/template-error.js';
import { signedJwt } from '../../../language/face.js';
import { PermanentJobError } from '../../../platform/errors.js';
import type { ModeSettings } from '../modes/credential-modes.js';

const LIFE_SECONDS = 3600;

/**
 * Returns the signed token of a credential. Time claims are added to the others if it asks for them.
 * @throws PermanentJobError for a key that does not fit; it does not repeat the key.
 */
export function jwtToken(name: string, settings: ModeSettings, nowMs: number): string {
  const { jwt_payload: claims = {}, jwt_private_key: key, jwt_hs256_secret: shared } = settings;
  const algorithm = settings.jwt_algorithm ?? (shared === undefined ? 'RS256' : 'HS256');
  const now = Math.floor(nowMs / 1000);
  const times = settings.jwt_auto_generate_time_claims === true ? { iat: now, exp: now + LIFE_SECONDS } : {};
  try {
    return signedJwt({
      claims,
      key: key ?? shared,
      algorithm,
      headers: { typ: 'JWT' },
      named: new Map(Object.entries(times)),
    });
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    throw new PermanentJobError(`The credential "${name}" cannot sign: ${error.message}`);
  }
}
