import Joi from 'joi';
import type { Config } from '../../../config/face.js';
import type { Problem } from '../../../platform/errors.js';
import { hostPattern, MAX_ALLOWED_HOSTS } from './allowed-hosts.js';

const pattern = Joi.string()
  .max(300)
  .custom((written: string, helpers) => hostPattern(written) ?? helpers.error('host.pattern'))
  .messages({
    'host.pattern':
      '{{#label}} must be a host such as api.example.com, *.example.com or api.example.com:8443',
  });

/** The hosts that a credential may be sent to (decision 0026). */
export const allowedHostsField = Joi.array().items(pattern).max(MAX_ALLOWED_HOSTS).unique();

/** The problem of a credential without hosts on a server that refuses those (REQUIRE_CREDENTIAL_HOSTS). */
export function hostsMissing(): Problem {
  return {
    message:
      '"allowed_hosts" must contain a host: this server requires credentials to be restricted to hosts',
    details: 'allowed_hosts',
  };
}

/** Returns the problem of a credential with these hosts on a server with these settings, if any. */
export function hostsProblems(
  hosts: readonly unknown[],
  { requireCredentialHosts }: Pick<Config, 'requireCredentialHosts'>,
): Problem[] {
  return requireCredentialHosts && hosts.length === 0 ? [hostsMissing()] : [];
}
