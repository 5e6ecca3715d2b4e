import { createHash, timingSafeEqual } from 'node:crypto';

/** The account that may see the board. */
export interface AdminAccount {
  user: string;
  password: string;
}

/** Returns a constant-time check of user and password against the account. */
export function accountCheck(account: AdminAccount): (given: AdminAccount) => boolean {
  const expected = digest(account);
  return (given) => timingSafeEqual(digest(given), expected);
}

/** Digests have one length, as `timingSafeEqual` requires. The name is hashed by itself, so that no two pairs collide. */
function digest({ user, password }: AdminAccount): Buffer {
  const name = createHash('sha256').update(user).digest();
  return createHash('sha256').update(name).update(password).digest();
}

/** Returns user and password of a Basic header; undefined for any other header. */
export function basicAccount(header: string | undefined): AdminAccount | undefined {
  const [, encoded] = /^basic +([A-Za-z0-9+/=_-]+) *$/i.exec(header ?? '') ?? [];
  if (encoded === undefined) return undefined;
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  return colon === -1 ? undefined : { user: text.slice(0, colon), password: text.slice(colon + 1) };
}
