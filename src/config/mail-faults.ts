import type { Settings } from './variable.js';
import type { mailVariables } from './variables/mail-variables.js';

/** Returns a line for each variable that the login with tokens at a mail server lacks, or must not have. */
export function mailFaults({ smtpUrl, smtpOauth }: Settings<typeof mailVariables>): string[] {
  const { tokenUrl, clientId, clientSecret, refreshToken, scope } = smtpOauth;
  const given = [tokenUrl, clientId, clientSecret, refreshToken, scope];
  if (given.every((value) => value === undefined)) return [];
  const { username = '', password = '' } = smtpUrl === undefined ? {} : new URL(smtpUrl);
  const faults: [isSo: boolean, line: string][] = [
    [tokenUrl === undefined, 'SMTP_OAUTH_TOKEN_URL is required with the other SMTP_OAUTH_ variables'],
    [clientId === undefined, 'SMTP_OAUTH_CLIENT_ID is required with the other SMTP_OAUTH_ variables'],
    [
      clientSecret === undefined && refreshToken === undefined,
      'SMTP_OAUTH_CLIENT_SECRET or SMTP_OAUTH_REFRESH_TOKEN is required with the other SMTP_OAUTH_ variables',
    ],
    [
      username === '' || password !== '',
      'SMTP_URL must have a user and no password with SMTP_OAUTH_TOKEN_URL',
    ],
  ];
  return faults.flatMap(([isSo, line]) => (isSo ? [line] : []));
}
