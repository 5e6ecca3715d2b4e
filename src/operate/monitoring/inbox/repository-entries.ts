import type { TroubledRepository } from '../../../stories/face.js';
import { entryOf, type InboxEntry, withNoun } from './inbox-entry.js';

/** Returns an entry for each git repository that is not synced, or whose stories wait for a person. */
export function repositoryEntries(repositories: readonly TroubledRepository[]): InboxEntry[] {
  return repositories.map(({ id, teamId, teamName, failures, conflicts, since }) => {
    const reason = failures > 0 ? 'failing' : 'conflicts';
    const waits = `${withNoun(conflicts, 'story', 'stories')} of ${teamName} ${conflicts === 1 ? 'differs' : 'differ'}`;
    return entryOf({
      key: `repository-${id}-${reason}`,
      kind: 'repository',
      reason,
      severity: failures > 0 ? 'error' : 'warning',
      title:
        failures > 0 ? `The git repository of ${teamName} is not synced` : `${waits} from the git repository`,
      detail:
        failures > 0
          ? `${withNoun(failures, 'sync', 'syncs')} failed in a row. The page of the team tells why.`
          : 'Both sides stay as they are until a person decides.',
      teamId,
      count: failures > 0 ? failures : conflicts,
      firstSeen: since,
    });
  });
}
