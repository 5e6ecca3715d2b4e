import { removeLeftWorkspaces } from '../../platform/git/git-workspace.js';
import { Conflict, messageOf, NotFound } from '../../platform/errors.js';
import { repeated } from '../../platform/runtime/background-loop.js';
import { retryLockConflicts } from '../../platform/mysql/commit/retry-conflicts.js';
import { deleteRepository, findDueRepositories, findOrphans } from './repository-store.js';
import { createSyncer, type RepositoryDeps } from './repository-services.js';

const LOOK_EVERY_MS = 5_000;
const AT_ONCE = 3;
const CLEAN_EVERY_MS = 10 * 60_000;

/**
 * Creates the loop that syncs repositories of teams whose time has come, or whose stories were changed. Returns undefined if
 * the configuration turns it off.
 */
export function createRepositorySyncs(deps: RepositoryDeps) {
  const { config, database, logger } = deps;
  if (config.gitSyncMinutes === 0) return undefined;
  const syncer = createSyncer(deps);
  let cleanedAt = -Infinity;

  const clean = async (): Promise<void> => {
    if (performance.now() - cleanedAt < CLEAN_EVERY_MS) return;
    cleanedAt = performance.now();
    await removeLeftWorkspaces();
    for (const id of await database.read((session) => findOrphans(AT_ONCE, session)))
      await retryLockConflicts(() => database.transaction((session) => deleteRepository(id, session)));
  };

  const syncOne = async (repositoryId: number, signal: AbortSignal | undefined): Promise<void> => {
    const order = { repositoryId, actor: undefined, isTrial: false, restoresDeleted: false, signal };
    try {
      const { error } = await syncer.sync(order);
      if (error !== null) logger.info('a repository was not synced', { repository_id: repositoryId, error });
    } catch (error) {
      // Another process was faster, or it was deleted.
      if (!(error instanceof Conflict || error instanceof NotFound)) throw error;
    }
  };

  return repeated({
    async tick(signal) {
      await clean();
      const due = await database.read((session) => findDueRepositories(AT_ONCE, session));
      const results = await Promise.allSettled(due.map((id) => syncOne(id, signal)));
      for (const [index, result] of results.entries())
        if (result.status === 'rejected')
          logger.warn('the sync of a repository failed', {
            repository_id: due[index],
            error: messageOf(result.reason),
          });
      return results.filter(({ status }) => status === 'fulfilled').length;
    },
    // Others of the same tenant may be due: one is taken in a pass.
    pauseAfter: (count) => (count > 0 ? 0 : LOOK_EVERY_MS),
    restAfterErrorMs: LOOK_EVERY_MS,
    failure: 'syncing repositories failed',
    logger,
  });
}
