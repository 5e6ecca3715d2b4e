import { createHash, timingSafeEqual } from 'node:crypto';

/** Who may see the board. */
export interface AdminAccount {
  user: string;
  password: string;
}

/** Says whether user and password are the account's, in a time that tells nothing of either. */
export function accountCheck(account: AdminAccount): (given: AdminAccount) => boolean {
  const expected = digest(account);
  return (given) => timingSafeEqual(digest(given), expected);
}

/** Digests are of one length, as comparing in constant time needs. The name is digested by itself, so that no two pairs look alike. */
function digest({ user, password }: AdminAccount): Buffer {
  const name = createHash('sha256').update(user).digest();
  return createHash('sha256').update(name).update(password).digest();
}

/** User and password of a Basic header. */
export function basicAccount(header: string | undefined): AdminAccount | undefined {
  const [, encoded] = /^basic +([A-Za-z0-9+/=_-]+) *$/i.exec(header ?? '') ?? [];
  if (encoded === undefined) return undefined;
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  return colon === -1 ? undefined : { user: text.slice(0, colon), password: text.slice(colon + 1) };
}
