import type { EndingKey } from '../../../people/face.js';
import { entryOf, type InboxEntry } from './inbox-entry.js';

const KINDS = { personal: 'Your API key', team: 'The team API key', tenant: 'The tenant API key' } as const;

/** Returns an entry for each API key that expires soon, or has expired while it was used. */
export function keyEntries(keys: readonly EndingKey[]): InboxEntry[] {
  return keys.map(({ id, kind, name, prefix, teamId, endsAt, lastUsedAt, isOver }) =>
    entryOf({
      key: `api_key-${id}-${isOver ? 'expired' : 'expires'}`,
      kind: 'api_key',
      reason: isOver ? 'expired' : 'expires',
      severity: isOver ? 'error' : lastUsedAt === null ? 'note' : 'warning',
      title: `${KINDS[kind]} ${name} ${isOver ? 'has expired' : 'expires soon'}`,
      detail: lastUsedAt === null ? `${prefix}…, never used` : `${prefix}…`,
      teamId,
      audience: kind === 'personal' ? 'person' : 'owners',
      apiKeyId: id,
      count: 1,
      lastSeen: lastUsedAt,
      until: isOver ? null : endsAt,
      firstSeen: isOver ? endsAt : null,
    }),
  );
}
