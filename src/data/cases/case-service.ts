import { type Actor, canWrite, requireTeam, visibleTeamIds } from '../../api/face.js';
import type { Cursor, WalkWindow } from '../../platform/mysql/statements/newest-page.js';
import type { Session } from '../../platform/mysql/session.js';
import { NotFound, type Problem } from '../../platform/errors.js';
import { holdTeam } from '../../people/face.js';
import type { Usable } from '../../platform/validation/partial-input.js';
import { retryConflicts } from '../../platform/mysql/commit/retry-conflicts.js';
import type { CaseView } from './case.js';
import type { CreateCaseBody, UpdateCaseBody } from './case-input.js';
import { refuseCasePeople } from './people/case-people.js';
import { addAssignees } from './people/case-people-store.js';
import { planCase, planCaseUpdate } from './case-plan.js';
import {
  type CaseDatabase,
  changeCase,
  checkCaseChange,
  createCaseScene,
  readPart,
  redactCase,
  tellOfCase,
  viewCase,
} from './case-scene.js';
import {
  type CaseFilter,
  deleteCase,
  findCase,
  insertCase,
  listCaseIds,
  type NewCase,
} from './case-store.js';
import { addTags } from './links/case-tag-store.js';
import { updateLockedCase } from './case-update.js';
import { loadCases } from './view/case-view-store.js';
import { closeCase, type ClosureDeps, judgeConditions, type JudgedCondition } from './closure/closure.js';
import type { ClosureFormulas } from './closure/closure-formulas.js';
import { mentionedIds } from './people/mentions.js';

/** The actor, and the base URL of this server: addresses in cases begin with it. */
export interface CaseCaller {
  actor: Actor;
  baseUrl: string;
}

/** Filters of a list of cases. */
export type CaseQuery = Omit<CaseFilter, 'teamIds' | 'openTeamIds'> & { teamId?: number | undefined };

/** A page whose cases are loaded while the caller iterates. Cases deleted in the meantime are left out. */
export interface CasePage {
  items: AsyncIterable<CaseView>;
  /** Over all pages. */
  total: number;
  /** The start of the next page, newest first. */
  next?: Cursor | null | undefined;
}

/** Number of cases in memory at a time: one case has up to about 6 MB of activities and records. */
const CASES_AT_ONCE = 20;

export interface CaseServiceDeps {
  database: CaseDatabase;
  formulas: ClosureFormulas;
}

/** Creates the service of cases. Each function checks the rights of the actor (spec §2.2 and §7). */
export function createCaseService({ database, formulas }: CaseServiceDeps) {
  return {
    /**
     * Creates a case.
     * @throws NotFound or Forbidden for the team; Unprocessable that names unknown users, invalid formulas, and unmet
     * closure conditions of a case that is created closed.
     */
    async create({ actor, baseUrl }: CaseCaller, body: CreateCaseBody): Promise<CaseView> {
      const made = await retryConflicts(() =>
        database.transaction((session) => createIn(session, actor, body, { formulas, baseUrl })),
      );
      tellOfCase(database, made.stored);
      return made;
    },

    /** Returns the problems in the valid parts of a new case. @throws NotFound and Forbidden as `create`. */
    checkCreate: (actor: Actor, body: Usable<CreateCaseBody>): Promise<Problem[]> =>
      database.read(async (session) => (await planCase(body, { actor, session, formulas })).problems),

    /** Returns the problems in the valid parts of an update. @throws NotFound and Forbidden as `update`. */
    checkUpdate: (actor: Actor, id: number, body: Usable<UpdateCaseBody>): Promise<Problem[]> =>
      checkCaseChange(
        database,
        actor,
        id,
        async ({ stored, session }) =>
          (await planCaseUpdate(stored, body, { actor, session, formulas })).problems,
      ),

    /** @throws NotFound if the actor cannot see it. */
    get: (actor: Actor, id: number): Promise<CaseView> =>
      readPart(database, actor, id, ({ session }) => viewCase(actor, id, session)),

    /** Returns the closure conditions with what speaks against each now. @throws NotFound if the actor cannot see it. */
    conditions: ({ actor, baseUrl }: CaseCaller, id: number): Promise<JudgedCondition[]> =>
      readPart(database, actor, id, async ({ session }) =>
        judgeConditions(await viewCase(actor, id, session), { formulas, baseUrl }),
      ),

    /**
     * Returns a page of the cases that the actor may see; they are loaded while the caller iterates.
     * @throws NotFound for an unknown team.
     */
    async list(actor: Actor, { teamId, ...filter }: CaseQuery, window: WalkWindow): Promise<CasePage> {
      if (teamId !== undefined) requireTeam(actor, teamId, 'read');
      const teamIds = teamId === undefined ? visibleTeamIds(actor) : [teamId];
      const openTeamIds = teamIds.filter((id) => canWrite(actor, id));
      const { items, total, next } = await database.read((session) =>
        listCaseIds({ ...filter, teamIds, openTeamIds }, window, session),
      );
      return { items: viewsOf(items, teamIds, { actor, database }), total, next };
    },

    /** Changes the fields that the body names, all or none. @throws as `create`. */
    async update({ actor, baseUrl }: CaseCaller, id: number, body: UpdateCaseBody): Promise<CaseView> {
      const changed = await changeCase(database, actor, id, async (scene) => {
        await updateLockedCase(scene, body, { formulas, baseUrl });
        return viewCase(actor, id, scene.session);
      });
      // It may have moved to another team.
      tellOfCase(database, changed.stored);
      return changed;
    },

    /** Deletes the case with its comments, links and subscriptions; records stay. */
    remove: (actor: Actor, id: number): Promise<void> =>
      changeCase(database, actor, id, ({ session }) => deleteCase(id, session)),
  };
}

/** Holds no connection between two batches: the client may read slowly. Skips cases that have left the teams meanwhile. */
async function* viewsOf(
  ids: number[],
  teamIds: readonly number[],
  { actor, database }: { actor: Actor; database: CaseDatabase },
): AsyncGenerator<CaseView> {
  for (let start = 0; start < ids.length; start += CASES_AT_ONCE) {
    const some = ids.slice(start, start + CASES_AT_ONCE);
    const views = await database.read((session) => loadCases(some, visibleTeamIds(actor), session));
    const own = views.filter(({ stored }) => teamIds.includes(stored.teamId));
    yield* own.map((view) => redactCase(actor, view));
  }
}

async function createIn(
  session: Session,
  actor: Actor,
  body: CreateCaseBody,
  deps: ClosureDeps,
): Promise<CaseView> {
  const { author_email, assignee_emails } = body;
  const { people, problems } = await planCase(body, { actor, session, formulas: deps.formulas });
  refuseCasePeople(problems);
  await holdTeam(body.team_id, session);
  const [author] = people.of(author_email ? [author_email] : []);
  const id = await insertCase(newCase(actor, body, author?.id ?? null), session);
  const assignees = people.of(assignee_emails || []).map((user) => user.id);
  await addAssignees(id, assignees.length > 0 ? assignees : [actor.userId], session);
  await addTags({ caseId: id, teamId: body.team_id }, [...new Set(body.tag_names ?? [])], session);
  const stored = await findCase(id, actor.tenantId, session);
  if (stored === undefined) throw new NotFound('Case');
  const scene = createCaseScene(stored, actor, session);
  await scene.note('CREATED', String(id), { mentions: mentionedIds(stored.description) });
  if (body.status === 'CLOSED') await closeCase(scene, body.resolved_at || undefined, deps);
  return viewCase(actor, id, session);
}

/** Returns an open case with the defaults of spec §7.2; a separate step closes it. */
function newCase(actor: Actor, body: CreateCaseBody, authorId: number | null): NewCase {
  return {
    tenantId: actor.tenantId,
    teamId: body.team_id,
    name: body.name,
    description: body.description || null,
    status: 'OPEN',
    priority: body.priority ?? 'LOW',
    metadata: body.metadata || {},
    closureConditions: body.closure_conditions || [],
    authorId,
    authorSetById: authorId === null ? null : actor.userId,
    openedById: actor.userId,
    openedAt: body.opened_at === '' ? null : (body.opened_at ?? new Date()),
    resolvedAt: body.resolved_at || null,
  };
}
