import { requireTeam } from '../auth/access.js';
import type { Actor } from '../auth/actor.js';
import type { Database } from '../db/database.js';
import { isDuplicateKey } from '../db/db-errors.js';
import type { Page, Window } from '../db/page-query.js';
import type { Session } from '../db/session.js';
import { Conflict, NotFound, type Problem, Unprocessable } from '../errors.js';
import { wakeResting } from '../events/story-deliveries-store.js';
import type { JsonObject } from '../json.js';
import { limited } from '../problems.js';
import { type AgentColumns, type AgentRecord, findAgent, listAgents, updateAgent } from './agent-store.js';
import type { AgentTypes } from './import/check-export.js';
import { givenAddress, pathProblem, WEBHOOK_TYPE } from './import/import-address.js';
import { exceedsDepth, LIMITS } from './import/import-limits.js';
import { retryLockConflicts } from '../db/retry-conflicts.js';
import { lockStory, touchStory } from './story-change-store.js';
import type { StoryChanges } from './story-changes.js';
import { findStory } from './story-store.js';

export type AgentChange = Omit<AgentColumns, 'webhookPath'>;

export interface AgentServiceDeps {
  database: Pick<Database, 'read' | 'transaction'>;
  agentTypes: Pick<AgentTypes, 'checkOptions'>;
  changes: StoryChanges;
}

export type AgentService = ReturnType<typeof createAgentService>;

/** The agents of stories, for somebody who may or may not see and change them (decisions §2, §3). */
export function createAgentService(deps: AgentServiceDeps) {
  const { database } = deps;
  return {
    /** The story's agents in its order. @throws NotFound for a story that the actor may not see. */
    list(actor: Actor, storyId: number, window: Window): Promise<Page<AgentRecord>> {
      return database.read(async (session) => {
        const story = await findStory(storyId, actor.tenantId, session);
        if (story === undefined) throw new NotFound('Story');
        requireTeam(actor, story.teamId, 'read', 'Story');
        return listAgents(storyId, window, session);
      });
    },

    get(actor: Actor, id: number): Promise<AgentRecord> {
      return database.read((session) => visibleAgent(actor, id, 'read', session));
    },

    /**
     * Changes what is given; `options` replace the old ones, but that a webhook keeps path and secret when they
     * name none.
     * @throws Unprocessable for options that an import would refuse; Conflict for a webhook path in use.
     */
    async update(actor: Actor, id: number, change: AgentChange): Promise<AgentRecord> {
      const { before, after } = await retryLockConflicts(() =>
        database.transaction((session) => applyChange(actor, { id, change }, deps, session)),
      );
      await deps.changes.announce(after.storyId);
      if (before.disabled && !after.disabled) {
        await deps.changes.followUp(after.storyId, () => wakeResting(database, after.storyId));
      }
      return after;
    },
  };
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
  { id, change }: { id: number; change: AgentChange },
  deps: AgentServiceDeps,
  session: Session,
): Promise<{ before: AgentRecord; after: AgentRecord }> {
  const seen = await visibleAgent(actor, id, 'write', session);
  // The story's lock is taken before the agent is looked at: imports take them in this order too.
  if (!(await lockStory(seen.storyId, session))) throw new NotFound('Agent');
  const before = await visibleAgent(actor, id, 'write', session);
  if (change.options !== undefined) checkAgent(before.type, change.options, deps.agentTypes);
  const options = change.options && withAddress(before, change.options);
  const webhookPath = options === undefined ? undefined : pathOf(before.type, options);
  await updateAgent(id, { ...change, options, webhookPath }, session).catch(pathTaken(webhookPath));
  await touchStory(before.storyId, session);
  return { before, after: await visibleAgent(actor, id, 'write', session) };
}

/** A webhook always has a path and a secret: those it has stay where the new options name none. */
function withAddress({ type, options: old }: AgentRecord, options: JsonObject): JsonObject {
  if (type !== WEBHOOK_TYPE) return options;
  const before = givenAddress(old);
  const { path = before.path, secret = before.secret } = givenAddress(options);
  return { ...options, ...(path !== undefined && { path }), ...(secret !== undefined && { secret }) };
}

function pathOf(type: string, options: JsonObject): string | undefined {
  return type === WEBHOOK_TYPE ? givenAddress(options).path : undefined;
}

function checkAgent(type: string, options: JsonObject, types: AgentServiceDeps['agentTypes']): void {
  if (exceedsDepth(options, LIMITS.depth)) refuse(`"options" is nested deeper than ${LIMITS.depth} levels`);
  if (Buffer.byteLength(JSON.stringify(options)) > LIMITS.rowBytes) {
    refuse(`"options" is larger than ${LIMITS.rowBytes} bytes`);
  }
  const problems = types.checkOptions(type, options).map(({ message, details }): Problem => {
    const place = details === undefined ? 'options' : `options.${details}`;
    return { message: `"${place}": ${message}`, details: place };
  });
  const path = pathOf(type, options);
  const fault = path === undefined ? undefined : pathProblem(path);
  if (fault !== undefined) problems.push({ message: `"options.path" ${fault}`, details: 'options.path' });
  if (problems.length > 0) throw new Unprocessable(limited(problems));
}

function refuse(message: string): never {
  throw new Unprocessable([{ message, details: 'options' }]);
}

function pathTaken(path: string | undefined): (error: unknown) => never {
  return (error) => {
    if (!isDuplicateKey(error) || path === undefined) throw error;
    throw new Conflict([{ message: `The webhook path "${path}" is in use`, details: 'options.path' }]);
  };
}
