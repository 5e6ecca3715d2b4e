import { type Actor, requireOwner, requireTeam, visibleTeamIds } from '../../api/face.js';
import type { Database } from '../../platform/mysql/database.js';
import type { Page, Window } from '../../platform/mysql/statements/page-query.js';
import { retryLockConflicts } from '../../platform/mysql/commit/retry-conflicts.js';
import type { Session } from '../../platform/mysql/session.js';
import { Conflict, NotFound } from '../../platform/errors.js';
import { findTeamKeys, revokeKeys } from '../keys/key-revocation-store.js';
import {
  claimHolds,
  contentsOf,
  deleteTeam,
  findTeam,
  insertTeam,
  listTeams,
  lockTeamRow,
  renameTeam,
  type TeamRecord,
} from './team-store.js';

export type TeamService = ReturnType<typeof createTeamService>;

/** Creates the service of teams: members can read them; Owners create, rename and delete them (spec §2.6). */
export function createTeamService({ database }: { database: Pick<Database, 'read' | 'transaction'> }) {
  return {
    list: (actor: Actor, window: Window): Promise<Page<TeamRecord>> =>
      database.read((session) => listTeams(visibleTeamIds(actor), window, session)),

    async get(actor: Actor, id: number): Promise<TeamRecord> {
      requireTeam(actor, id, 'read');
      return database.read((session) => getTeam(id, session));
    },

    async create(actor: Actor, name: string): Promise<TeamRecord> {
      requireOwner(actor);
      return database.read(async (session) =>
        getTeam(await insertTeam({ tenantId: actor.tenantId, name }, session), session),
      );
    },

    /** @throws NotFound and Forbidden as `rename`. */
    checkRename: (actor: Actor, id: number): void => requireOwnTeam(actor, id),

    async rename(actor: Actor, id: number, name: string): Promise<TeamRecord> {
      requireOwnTeam(actor, id);
      return database.read(async (session) => {
        await renameTeam(id, name, session);
        return getTeam(id, session);
      });
    },

    /** @throws Conflict for a team that still has stories, record types, cases, credentials or resources. */
    async delete(actor: Actor, id: number): Promise<void> {
      requireOwnTeam(actor, id);
      await retryLockConflicts(() =>
        database.transaction(async (session) => {
          if (!(await lockTeamRow(id, session))) throw new NotFound('Team');
          await claimHolds(id, session);
          const contents = await contentsOf(id, session);
          if (contents.length > 0) throw new Conflict(`The team still has ${contents.join(', ')}`);
          await revokeKeys(await findTeamKeys(id, session), session);
          await deleteTeam(id, session);
        }),
      );
    },
  };
}

/** @throws NotFound for a team that the actor cannot see; Forbidden unless the actor is an Owner. */
function requireOwnTeam(actor: Actor, id: number): void {
  requireTeam(actor, id, 'read');
  requireOwner(actor);
}

async function getTeam(id: number, session: Session): Promise<TeamRecord> {
  const team = await findTeam(id, session);
  if (team === undefined) throw new NotFound('Team');
  return team;
}
