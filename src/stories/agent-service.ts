import { canWrite, requireTeam } from '../access/auth/access.js';
import type { Actor } from '../access/auth/actor.js';
import type { Database } from '../platform/mysql/database.js';
import { isDuplicateKey } from '../platform/mysql/db-errors.js';
import type { Page, Window } from '../platform/mysql/page-query.js';
import type { Session } from '../platform/mysql/session.js';
import { Conflict, NotFound, type Problem, Unprocessable } from '../platform/errors.js';
import type { JsonObject, JsonValue } from '../platform/json.js';
import { limited } from '../platform/validation/validate.js';
import type { StockGuard } from '../access/quotas/stock-guard.js';
import {
  type AgentColumns,
  type AgentRecord,
  findAgent,
  findWebhookOptions,
  listAgents,
  updateAgent,
} from './agent-store.js';
import { withoutWebhookSecrets } from './hidden-options.js';
import type { AgentTypes } from './import/check-export.js';
import { givenAddress, pathProblem, WEBHOOK_TYPE } from './import/import-address.js';
import { exceedsDepth, LIMITS } from './import/import-limits.js';
import { parseSchedule } from './schedules/parse-schedule.js';
import { problemsOfScheduleAt } from './schedules/schedule-kind.js';
import { writeAgentSchedules } from './schedules/schedule-sync.js';
import { createStoryEditor } from './story-editor.js';
import type { StoryChanges } from './story-changes.js';
import { findStory } from './story-store.js';
import { stringifyJson } from '../platform/json/exact-number.js';

/** The fields that an update may change; undefined fields stay. */
export interface AgentChange extends Omit<AgentColumns, 'webhookPath' | 'extra'> {
  /** In the export's form; null: none. */
  schedule?: JsonValue | undefined;
}

export interface AgentServiceDeps {
  database: Pick<Database, 'read' | 'transaction'>;
  agentTypes: Pick<AgentTypes, 'checkOptions'>;
  changes: StoryChanges;
  stock: StockGuard;
}

export type AgentService = ReturnType<typeof createAgentService>;

/** Agents of stories, with checks of what the actor may see and change (spec §2.2 and §3). */
export function createAgentService(deps: AgentServiceDeps) {
  const { database } = deps;
  const editor = createStoryEditor(deps);
  return {
    /** Returns the story's agents in its order. @throws NotFound for a story that the actor may not see. */
    list(actor: Actor, storyId: number, window: Window): Promise<Page<AgentRecord>> {
      return database.read(async (session) => {
        const story = await findStory(storyId, actor.tenantId, session);
        if (story === undefined) throw new NotFound('Story');
        requireTeam(actor, story.teamId, 'read', 'Story');
        const { items, total } = await listAgents(storyId, window, session);
        return { items: await shownAgents(actor, items, session), total };
      });
    },

    get: (actor: Actor, id: number): Promise<AgentRecord> =>
      database.read(async (session) => {
        const agent = await visibleAgent(actor, id, 'read', session);
        const [shown = agent] = await shownAgents(actor, [agent], session);
        return shown;
      }),

    /** Returns the faults of options and schedule, if given. @throws NotFound and Forbidden as `update`. */
    check: (actor: Actor, id: number, change: CheckedChange): Promise<Problem[]> =>
      database.read(async (session) => {
        const { type } = await visibleAgent(actor, id, 'write', session);
        return changeProblems(type, change, deps.agentTypes);
      }),

    /**
     * Changes the given fields. `options` replace the old ones, except that a webhook keeps path and secret unless
     * they set them.
     * @throws Unprocessable for options that an import would refuse and for a schedule that starts nothing; Conflict for
     * a webhook path in use; QuotaReached for more schedules than the tenant may have.
     */
    async update(actor: Actor, id: number, change: AgentChange): Promise<AgentRecord> {
      const { storyId } = await database.read((session) => visibleAgent(actor, id, 'write', session));
      return editor.edit(actor, {
        storyId,
        part: 'graph',
        async work(_story, { session, wake }) {
          const before = await visibleAgent(actor, id, 'write', session);
          await applyChange(actor, { before, change }, deps, session);
          const after = await visibleAgent(actor, id, 'write', session);
          if (before.disabled && !after.disabled) wake();
          return after;
        },
      });
    },
  };
}

/** Removes webhook secrets from agents of one story, unless the actor may write. */
async function shownAgents(actor: Actor, agents: AgentRecord[], session: Session): Promise<AgentRecord[]> {
  const [first] = agents;
  if (first === undefined || canWrite(actor, first.teamId)) return agents;
  return withoutWebhookSecrets(agents, await findWebhookOptions(first.storyId, session));
}

async function visibleAgent(
  actor: Actor,
  id: number,
  need: 'read' | 'write',
  session: Session,
): Promise<AgentRecord> {
  const agent = await findAgent(id, actor.tenantId, session);
  if (agent === undefined) throw new NotFound('Agent');
  requireTeam(actor, agent.teamId, need, 'Agent');
  return agent;
}

async function applyChange(
  actor: Actor,
  { before, change }: { before: AgentRecord; change: AgentChange },
  deps: AgentServiceDeps,
  session: Session,
): Promise<void> {
  const problems = changeProblems(before.type, change, deps.agentTypes);
  if (problems.length > 0) throw new Unprocessable(limited(problems));
  const { schedule, ...columns } = change;
  const options = change.options && withAddress(before, change.options);
  const webhookPath = options === undefined ? undefined : pathOf(before.type, options);
  const extra = schedule === undefined ? undefined : { ...before.extra, schedule };
  await updateAgent(before.id, { ...columns, options, webhookPath, extra }, session).catch(
    pathTaken(webhookPath),
  );
  if (schedule !== undefined) {
    await deps.stock.within(actor.tenantId, session, () => writeAgentSchedules(before, schedule, session));
  }
}

/** A webhook always has a path and a secret: the old ones stay unless the new options set them. */
function withAddress({ type, options: old }: AgentRecord, options: JsonObject): JsonObject {
  if (type !== WEBHOOK_TYPE) return options;
  const before = givenAddress(old);
  const { path = before.path, secret = before.secret } = givenAddress(options);
  return { ...options, ...(path !== undefined && { path }), ...(secret !== undefined && { secret }) };
}

function pathOf(type: string, options: JsonObject): string | undefined {
  return type === WEBHOOK_TYPE ? givenAddress(options).path : undefined;
}

type CheckedChange = Pick<AgentChange, 'options' | 'schedule'>;

function changeProblems(
  type: string,
  { options, schedule }: CheckedChange,
  types: AgentServiceDeps['agentTypes'],
): Problem[] {
  return [
    ...(options === undefined ? [] : optionProblems(type, options, types)),
    ...(schedule === undefined ? [] : scheduleProblems(type, schedule)),
  ];
}

function scheduleProblems(type: string, schedule: JsonValue): Problem[] {
  const { schedules, problems } = parseSchedule(schedule);
  if (type !== WEBHOOK_TYPE || schedules.length === 0) return problemsOfScheduleAt('schedule', problems);
  return problemsOfScheduleAt('schedule', [
    { message: 'cannot be given to a webhook, which starts with a request' },
  ]);
}

function wholeOptions(what: string): Problem[] {
  return [{ message: `"options" is ${what}`, details: 'options' }];
}

/** Returns the faults for which an import would refuse these options. */
function optionProblems(type: string, options: JsonObject, types: AgentServiceDeps['agentTypes']): Problem[] {
  if (exceedsDepth(options, LIMITS.depth)) return wholeOptions(`nested deeper than ${LIMITS.depth} levels`);
  if (Buffer.byteLength(stringifyJson(options)) > LIMITS.rowBytes) {
    return wholeOptions(`larger than ${LIMITS.rowBytes} bytes`);
  }
  const problems = types.checkOptions(type, options).map(({ message, details }): Problem => {
    const place = details === undefined ? 'options' : `options.${details}`;
    return { message: `"${place}": ${message}`, details: place };
  });
  const path = pathOf(type, options);
  const fault = path === undefined ? undefined : pathProblem(path);
  if (fault !== undefined) problems.push({ message: `"options.path" ${fault}`, details: 'options.path' });
  return problems;
}

function pathTaken(path: string | undefined): (error: unknown) => never {
  return (error) => {
    if (!isDuplicateKey(error) || path === undefined) throw error;
    throw new Conflict([{ message: `The webhook path "${path}" is in use`, details: 'options.path' }]);
  };
}
