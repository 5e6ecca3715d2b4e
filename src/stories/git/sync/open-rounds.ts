import { createHash } from 'node:crypto';
import type { Session } from '../../../platform/mysql/session.js';
import type { TeamRepository } from '../repository-store.js';
import { listDraftVersions, listSyncedStories, listTeamStories } from './synced-story-store.js';

/** After this time it is looked all the same: quotas, rights and policies count too. */
const LONGEST_MS = 3_600_000;
const MOST_KEPT = 10_000;

/**
 * Returns a digest of what a sync depends on, as far as it is known without the files: equal ones find the same conflicts. The
 * commits of the branches stand for the files.
 */
export async function sidesDigest(
  repository: TeamRepository,
  branches: ReadonlyMap<string, string>,
  session: Session,
): Promise<string> {
  const { id, teamId, userId, direction, way, layout, format } = repository;
  const sides = [
    [userId, direction, way, layout, format],
    [...branches].toSorted(([one], [other]) => (one < other ? -1 : 1)),
    await listTeamStories(teamId, session),
    await listSyncedStories(id, session),
    await listDraftVersions(id, session),
  ];
  return createHash('sha256').update(JSON.stringify(sides)).digest('hex');
}

/** Creates what remembers, for an hour, of which sides the last sync of a repository found open changes alone. */
export function createOpenRounds(now: () => number = () => performance.now()) {
  const kept = new Map<number, { sides: string; at: number }>();
  return {
    /** Whether the sides are still those of the last sync. */
    isSame(repositoryId: number, sides: string): boolean {
      const last = kept.get(repositoryId);
      return last !== undefined && last.sides === sides && now() - last.at < LONGEST_MS;
    },

    keep(repositoryId: number, sides: string): void {
      kept.delete(repositoryId);
      const [oldest] = kept.keys();
      if (kept.size >= MOST_KEPT && oldest !== undefined) kept.delete(oldest);
      kept.set(repositoryId, { sides, at: now() });
    },
  };
}
