import type { EndingCredential, UnconnectedCredential } from '../../../data/face.js';
import { entryOf, type InboxEntry } from './inbox-entry.js';

/** Returns an entry for each credential that a person must connect, or whose access ends soon. */
export function credentialEntries(
  unconnected: readonly UnconnectedCredential[],
  ending: readonly EndingCredential[],
): InboxEntry[] {
  const told = new Set(unconnected.filter(({ isTest }) => !isTest).map(({ id }) => id));
  return [
    ...unconnected.map(({ id, name, isTest, teamId, since, reason }) =>
      entryOf({
        key: `credential-${id}${isTest ? '-test' : ''}-reconnect`,
        kind: 'credential',
        reason: 'reconnect',
        severity: 'error',
        title: `${name}${isTest ? ' (test value)' : ''} must be connected`,
        detail: reason,
        teamId,
        credentialId: id,
        count: 1,
        firstSeen: since,
      }),
    ),
    ...ending
      .filter(({ id }) => !told.has(id))
      .map(({ id, name, teamId, endsAt, isOver }) =>
        entryOf({
          key: `credential-${id}-${isOver ? 'ended' : 'expires'}`,
          kind: 'credential',
          reason: 'expires',
          severity: isOver ? 'error' : 'warning',
          title: isOver ? `Access for ${name} has ended` : `Access for ${name} ends soon`,
          teamId,
          credentialId: id,
          count: 1,
          until: endsAt,
        }),
      ),
  ];
}
