import { isJsonObject } from '../../platform/json.js';
import { stringifyJson } from '../../platform/json/exact-number.js';
import { parseJson } from '../../platform/json/parse-json.js';
import type { MailOauth } from './mail-tokens.js';

/** A tenant's own mail server, with its secrets. */
export interface MailServer {
  /** With `oauth` it has a user and no password. */
  smtpUrl: string;
  oauth?: MailOauth | undefined;
}

/** Returns the mail server as it is encrypted: the URL by itself, or JSON. */
export function mailServerText({ smtpUrl, oauth }: MailServer): string {
  return oauth === undefined ? smtpUrl : stringifyJson({ smtpUrl, oauth: { ...oauth } });
}

/** Returns the mail server of a decrypted text. */
export function mailServerIn(text: string): MailServer {
  if (!text.startsWith('{')) return { smtpUrl: text };
  const parsed = parseJson(text);
  return isJsonObject(parsed) ? (parsed as unknown as MailServer) : { smtpUrl: '' };
}
