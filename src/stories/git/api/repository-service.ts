import { type Actor, requireTeam } from '../../../api/face.js';
import type { CredentialService } from '../../../data/face.js';
import { holdTeam } from '../../../people/face.js';
import { NotFound, type Problem, Unprocessable } from '../../../platform/errors.js';
import { gitRemote } from '../../../platform/git/git-remote.js';
import type { Database } from '../../../platform/mysql/database.js';
import { retryLockConflicts } from '../../../platform/mysql/commit/retry-conflicts.js';
import type { ConcurrencyLimit } from '../../../platform/runtime/concurrency-limit.js';
import { keysOfHost } from './host-keys.js';
import {
  deleteRepository,
  findRepository,
  listSyncs,
  type RepositorySettings,
  type RepositorySync,
  saveRepository,
  type TeamRepository,
} from '../repository-store.js';
import type { RepositorySyncer, SyncResult } from '../sync/repository-sync.js';

export interface RepositoryServiceDeps {
  database: Pick<Database, 'read' | 'transaction'>;
  credentials: Pick<CredentialService, 'listSecrets'>;
  syncer: RepositorySyncer;
  limit: ConcurrencyLimit;
}

export type RepositoryService = ReturnType<typeof createRepositoryService>;

/** Settings whose change makes another repository of it: what is known of the stories does not hold for that. */
const IDENTITY = ['url', 'branch', 'folder'] as const;

/** The git repositories of teams, for their TEAM_ADMINs. Each call throws NotFound and Forbidden for the team. */
export function createRepositoryService({ database, credentials, syncer, limit }: RepositoryServiceDeps) {
  const known = async (actor: Actor, teamId: number): Promise<TeamRepository> => {
    requireTeam(actor, teamId, 'manage');
    const repository = await database.read((session) => findRepository(teamId, session));
    if (repository === undefined) throw new NotFound('Repository');
    return repository;
  };

  const problemsOf = async (teamId: number, wanted: RepositorySettings): Promise<Problem[]> => {
    const remote = gitRemote(wanted.url);
    const problems: Problem[] = [];
    if (remote?.protocol === 'ssh' && keysOfHost(wanted.hostKeys).length === 0)
      problems.push({
        message:
          'host_keys is required for an ssh address: the public keys of the host, as "ssh-keyscan HOST" prints them',
        details: 'host_keys',
      });
    if (remote?.protocol === 'ssh' && wanted.credentialId === null)
      problems.push({
        message: 'credential_id is required for an ssh address: a private key',
        details: 'credential_id',
      });
    if (wanted.credentialId !== null) {
      const found = (await credentials.listSecrets(teamId)).find(({ id }) => id === wanted.credentialId);
      if (found === undefined)
        problems.push({
          message: 'credential_id is no credential that the team may use',
          details: 'credential_id',
        });
      else if (found.mode !== 'TEXT')
        problems.push({
          message: 'credential_id must be a credential of the mode TEXT',
          details: 'credential_id',
        });
    }
    return problems;
  };

  return {
    get: known,

    /** Sets the repository of a team. With another address, branch or folder it begins anew. @throws Unprocessable */
    async set(actor: Actor, teamId: number, wanted: RepositorySettings): Promise<TeamRepository> {
      requireTeam(actor, teamId, 'manage');
      const problems = await problemsOf(teamId, wanted);
      if (problems.length > 0) throw new Unprocessable(problems);
      const { tenantId, userId } = actor;
      return retryLockConflicts(() =>
        database.transaction(async (session) => {
          await holdTeam(teamId, session);
          const before = await findRepository(teamId, session);
          if (before !== undefined && IDENTITY.some((key) => before[key] !== wanted[key]))
            await deleteRepository(before.id, session);
          await saveRepository({ ...wanted, tenantId, teamId, userId }, session);
          const saved = await findRepository(teamId, session);
          if (saved === undefined) throw new NotFound('Repository');
          return saved;
        }),
      );
    },

    /** Forgets the repository; stories and files stay. */
    async delete(actor: Actor, teamId: number): Promise<void> {
      const { id } = await known(actor, teamId);
      await retryLockConflicts(() => database.transaction((session) => deleteRepository(id, session)));
    },

    /** Returns the kept syncs, newest first. */
    async syncs(actor: Actor, teamId: number): Promise<RepositorySync[]> {
      const { id } = await known(actor, teamId);
      return database.read((session) => listSyncs(id, session));
    },

    /** Syncs now, or says what a sync would do. @throws Conflict while another process syncs it; Unavailable for too many at once. */
    async sync(
      actor: Actor,
      teamId: number,
      { isTrial, restoresDeleted }: { isTrial: boolean; restoresDeleted: boolean },
    ): Promise<SyncResult> {
      const { id } = await known(actor, teamId);
      return limit(actor.tenantId, () => syncer.sync({ repositoryId: id, actor, isTrial, restoresDeleted }));
    },
  };
}
