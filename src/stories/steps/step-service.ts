import { randomBytes } from 'node:crypto';
import { type Actor, requireOwner, requireTeam, visibleTeamIds } from '../../api/face.js';
import { lockTenant } from '../../people/face.js';
import { Conflict, NotFound, PreconditionFailed } from '../../platform/errors.js';
import { stringifyJson } from '../../platform/json/exact-number.js';
import { claimRow } from '../../platform/mysql/lease/claim-rows.js';
import { retryLockConflicts } from '../../platform/mysql/commit/retry-conflicts.js';
import type { Database } from '../../platform/mysql/database.js';
import type { Session } from '../../platform/mysql/session.js';
import type { Page, Window } from '../../platform/mysql/statements/page-query.js';
import { etagOf, isExpected } from '../edit/story-version.js';
import type { GraphRequest } from '../graph/graph-body.js';
import { contentOf, markedContent, type StepContent } from './step-content.js';
import {
  countSteps,
  deleteStep,
  findStep,
  findStepVersion,
  insertStep,
  insertStepVersion,
  listSteps,
  listStepVersions,
  type StepFilter,
  type StepReader,
  type StepRecord,
  type StepVersionRecord,
  updateStep,
} from './step-store.js';

/** Steps of a tenant, and versions of a step that are kept. */
const MOST_STEPS = 1_000;
const KEPT_VERSIONS = 100;

/** The texts of a step that a person gives; undefined ones stay. */
export interface StepNames {
  name?: string | undefined;
  description?: string | undefined;
}

/** A step to be made, with its first version. */
export interface WantedStep {
  name: string;
  description: string;
  /** null: of the tenant. */
  teamId: number | null;
  language: StepRecord['language'];
  reason: string;
  content: GraphRequest;
}

/** A version to be made. `ifMatch` is the header: the versions that the client knows. */
export interface WantedVersion extends Pick<WantedStep, 'reason' | 'content'> {
  ifMatch?: string | undefined;
}

/** A version with its content. */
export interface StepVersion extends StepVersionRecord {
  content: StepContent;
}

export type StepService = ReturnType<typeof createStepService>;

/** Returns the teams whose steps and stories the actor may see. */
export function stepReaderOf(actor: Actor): StepReader {
  return { tenantId: actor.tenantId, teamIds: visibleTeamIds(actor) };
}

/** @throws NotFound for a step that the actor may not see; Forbidden for one that it may not change. */
export async function visibleStep(
  actor: Actor,
  id: number,
  need: 'read' | 'write',
  session: Session,
): Promise<StepRecord> {
  const step = await findStep(id, stepReaderOf(actor), session);
  if (step === undefined) throw new NotFound('Step');
  if (step.teamId !== null) requireTeam(actor, step.teamId, need, 'Step');
  else if (need === 'write') requireOwner(actor);
  return step;
}

/** Steps: parts of stories that are kept to be used again (spec §3.21). */
export function createStepService({ database }: { database: Pick<Database, 'read' | 'transaction'> }) {
  const change = <Result>(
    actor: Actor,
    id: number,
    work: (step: StepRecord, session: Session) => Promise<Result>,
  ): Promise<Result> =>
    retryLockConflicts(() =>
      database.transaction(async (session) => {
        await visibleStep(actor, id, 'write', session);
        if (!(await claimRow(session, 'steps', id))) throw new NotFound('Step');
        return work(await visibleStep(actor, id, 'write', session), session);
      }),
    );

  return {
    /** Returns a page of the steps that the actor may see, by name. @throws NotFound for a team that it may not see. */
    list(actor: Actor, filter: StepFilter, window: Window): Promise<Page<StepRecord>> {
      if (filter.teamId !== undefined) requireTeam(actor, filter.teamId, 'read');
      return database.read((session) => listSteps(stepReaderOf(actor), filter, window, session));
    },

    /** @throws NotFound */
    get: (actor: Actor, id: number): Promise<StepRecord> =>
      database.read((session) => visibleStep(actor, id, 'read', session)),

    checkHome,

    /** @throws NotFound; Forbidden for who may not change the step. */
    check: async (actor: Actor, id: number): Promise<void> => {
      await database.read((session) => visibleStep(actor, id, 'write', session));
    },

    /** @throws as `checkHome`; Conflict for more steps than a tenant may have; Unprocessable as `contentOf`. */
    async create(actor: Actor, wanted: WantedStep): Promise<StepRecord> {
      checkHome(actor, wanted.teamId);
      const { tenantId, userId } = actor;
      const { teamId, name, description, language, reason } = wanted;
      const guid = randomBytes(16).toString('hex');
      const content = await contentOf(wanted.content, guid);
      return retryLockConflicts(() =>
        database.transaction(async (session) => {
          await lockTenant(tenantId, session);
          if ((await countSteps(tenantId, session)) >= MOST_STEPS) {
            throw new Conflict(`A tenant can have at most ${MOST_STEPS} steps`);
          }
          const home = { tenantId, teamId, userId, guid, name, description, language };
          const id = await insertStep({ ...home, ...summaryOf(content) }, session);
          const version = { stepId: id, number: 1, userId, reason, content: stringifyJson(content) };
          await insertStepVersion(version, KEPT_VERSIONS, session);
          return visibleStep(actor, id, 'read', session);
        }),
      );
    },

    /** @throws as `check`. */
    update: (actor: Actor, id: number, names: StepNames): Promise<StepRecord> =>
      change(actor, id, async (_step, session) => {
        await updateStep(id, names, session);
        return visibleStep(actor, id, 'read', session);
      }),

    /** Stories keep the actions that they have of the step. @throws as `check`. */
    delete: (actor: Actor, id: number): Promise<void> =>
      change(actor, id, (_step, session) => deleteStep(id, session)),

    /** Returns a page of the step's versions, newest first. @throws NotFound */
    versions: (actor: Actor, id: number, window: Window): Promise<Page<StepVersionRecord>> =>
      database.read(async (session) => {
        await visibleStep(actor, id, 'read', session);
        return listStepVersions(id, window, session);
      }),

    /** Returns a version with its content. @throws NotFound */
    version: (actor: Actor, id: number, number: number): Promise<StepVersion> =>
      database.read(async (session) => {
        const { guid } = await visibleStep(actor, id, 'read', session);
        const version = await findStepVersion({ stepId: id, number }, session);
        if (version === undefined) throw new NotFound('Version');
        return { ...version, content: markedContent(version.content, { guid, version: number }) };
      }),

    /**
     * Gives the step a new version; the oldest ones beyond a hundred go.
     * @throws as `check`; PreconditionFailed if the newest version is another; Unprocessable as `contentOf`.
     */
    async addVersion(actor: Actor, id: number, { ifMatch, ...wanted }: WantedVersion): Promise<StepRecord> {
      const { guid } = await database.read((session) => visibleStep(actor, id, 'write', session));
      const content = await contentOf(wanted.content, guid);
      return change(actor, id, async ({ version }, session) => {
        if (!isExpected(ifMatch, version)) {
          const message = `The newest version of the step is ${version}, which does not match "If-Match". Nothing was changed`;
          throw new PreconditionFailed([{ message, details: 'If-Match' }], {
            headers: { ETag: etagOf(version) },
          });
        }
        const number = version + 1;
        await updateStep(id, { version: number, ...summaryOf(content) }, session);
        const made = { stepId: id, number, userId: actor.userId, reason: wanted.reason };
        await insertStepVersion({ ...made, content: stringifyJson(content) }, KEPT_VERSIONS, session);
        return visibleStep(actor, id, 'read', session);
      });
    },
  };
}

/** @throws NotFound; Forbidden for who may not make steps of this team, or of the tenant. */
function checkHome(actor: Actor, teamId: number | null): void {
  if (teamId === null) requireOwner(actor);
  else requireTeam(actor, teamId, 'write');
}

function summaryOf({ agents }: StepContent) {
  const types = [...new Set(agents.map(({ type }) => type))];
  return { actionCount: agents.length, actionTypes: JSON.stringify(types) };
}
