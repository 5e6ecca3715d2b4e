import { type Actor, homeTeamId, homeTeamProblems, requireTeam, visibleTeamIds } from '../../../api/face.js';
import type { Database } from '../../../platform/mysql/database.js';
import type { Page, Window } from '../../../platform/mysql/statements/page-query.js';
import { retryConflicts } from '../../../platform/mysql/commit/retry-conflicts.js';
import type { Session } from '../../../platform/mysql/session.js';
import { Conflict, NotFound, type Problem, Unprocessable } from '../../../platform/errors.js';
import { firstProblems } from '../../../platform/validation/validate.js';
import { holdTeam } from '../../../people/face.js';
import type { Usable } from '../../../platform/validation/partial-input.js';
import { type FieldChanges, type FieldInput, planFields } from './record-type-changes.js';
import { claimCounts } from '../search/record-count-store.js';
import { findRecordType, findTypeNamed, listRecordTypes, type TypeLock } from './record-type-store.js';
import {
  deleteFields,
  deleteRecordType,
  insertFields,
  insertRecordType,
  renameRecordType,
  updateField,
} from './record-type-write-store.js';
import { DEFAULT_FIELDS, type RecordType } from './record-type.js';

export interface NewRecordType {
  name: string;
  team_id?: number | undefined;
  fields: FieldInput[];
}

export interface RecordTypeChanges extends FieldChanges {
  name?: string | undefined;
}

export interface RecordTypeServiceDeps {
  database: Pick<Database, 'read' | 'transaction'>;
}

export type RecordTypeService = ReturnType<typeof createRecordTypeService>;

/** Record types and their fields, with checks of what the actor may do (spec §2.2 and §6.1). */
export function createRecordTypeService({ database }: RecordTypeServiceDeps) {
  const change = <T>(work: (session: Session) => Promise<T>) =>
    retryConflicts(() => database.transaction(work));

  return {
    /** @throws Unprocessable naming each wrong field; Conflict if the team has a type of this name. */
    create(actor: Actor, input: NewRecordType): Promise<RecordType> {
      const { added, problems } = planNewType(actor, input);
      if (problems.length > 0) throw new Unprocessable(firstProblems(problems));
      const teamId = homeTeamId(actor, input.team_id, 'write');
      const { tenantId } = actor;
      return change(async (session) => {
        await holdTeam(teamId, session);
        await requireFreeName(input.name, teamId, session);
        const id = await insertRecordType(input.name, { tenantId, teamId }, session);
        const defaults = DEFAULT_FIELDS.map((field) => ({ ...field, fixedValues: [] }));
        const own = added.map((field) => ({ ...field, source: 'custom' as const }));
        await insertFields(id, [...defaults, ...own], session);
        return getRecordType(actor, id, 'none', session);
      });
    },

    /** Returns the faults in the usable parts of a new type. @throws NotFound and Forbidden as `create`. */
    checkCreate: (actor: Actor, input: Usable<NewRecordType>): Problem[] =>
      planNewType(actor, input).problems,

    /** Returns the faults in the usable parts of an update. @throws NotFound and Forbidden as `update`. */
    checkUpdate: (actor: Actor, id: number, changes: Usable<RecordTypeChanges>): Promise<Problem[]> =>
      database.read(async (session) => {
        const type = await getRecordType(actor, id, 'none', session);
        requireTeam(actor, type.teamId, 'write', 'Record type');
        return planFields(type, changes).problems;
      }),

    /** @throws NotFound for one that does not exist or that the actor may not see. */
    get: (actor: Actor, id: number): Promise<RecordType> =>
      database.read((session) => getRecordType(actor, id, 'none', session)),

    /** Returns a page of the types that the actor may see, newest first. @throws NotFound for an unknown team. */
    list(actor: Actor, query: { teamId?: number | undefined }, window: Window): Promise<Page<RecordType>> {
      if (query.teamId !== undefined) requireTeam(actor, query.teamId, 'read');
      const teamIds = query.teamId === undefined ? visibleTeamIds(actor) : [query.teamId];
      return database.read((session) =>
        listRecordTypes({ tenantId: actor.tenantId, teamIds }, window, session),
      );
    },

    /** Adds, renames and removes fields, and renames the type: all or nothing. Fields that are not named stay. */
    update(actor: Actor, id: number, changes: RecordTypeChanges): Promise<RecordType> {
      return change(async (session) => {
        const type = await getRecordType(actor, id, 'exclusive', session);
        requireTeam(actor, type.teamId, 'write', 'Record type');
        const { added, changed, removedIds, problems } = planFields(type, changes);
        if (problems.length > 0) throw new Unprocessable(firstProblems(problems));
        const { name = type.name } = changes;
        await requireFreeName(name, type.teamId, session, id);
        if (added.length + removedIds.length > 0) await claimCounts(id, session);
        await renameRecordType(id, name, session);
        await deleteFields(id, removedIds, session);
        for (const field of changed) await updateField(field, session);
        await insertFields(
          id,
          added.map((field) => ({ ...field, source: 'custom' as const })),
          session,
        );
        return getRecordType(actor, id, 'none', session);
      });
    },

    /** Deletes the type with all of its records: they are invisible at once, and removed in the background. */
    async delete(actor: Actor, id: number): Promise<void> {
      await change(async (session) => {
        const type = await getRecordType(actor, id, 'exclusive', session);
        requireTeam(actor, type.teamId, 'write', 'Record type');
        await claimCounts(id, session);
        await deleteRecordType(id, session);
      });
    },
  };
}

function planNewType(actor: Actor, input: Usable<NewRecordType>) {
  const ofTeam = homeTeamProblems(actor, input, 'write');
  const { added, problems } = planFields({ fields: [] }, { fields: input.fields, field_ids_to_delete: [] });
  return { added, problems: [...ofTeam, ...problems] };
}

/** Returns the type if the actor may see it. @throws NotFound otherwise. */
export async function getRecordType(
  actor: Actor,
  id: number,
  lock: TypeLock,
  session: Session,
): Promise<RecordType> {
  const type = await findRecordType(id, actor.tenantId, lock, session);
  if (type === undefined) throw new NotFound('Record type');
  requireTeam(actor, type.teamId, 'read', 'Record type');
  return type;
}

async function requireFreeName(
  name: string,
  teamId: number,
  session: Session,
  ownId?: number,
): Promise<void> {
  const holder = await findTypeNamed(name, teamId, session);
  if (holder === undefined || holder === ownId) return;
  throw new Conflict([
    { message: `The team already has a record type with this name: ${name}`, details: 'name' },
  ]);
}
