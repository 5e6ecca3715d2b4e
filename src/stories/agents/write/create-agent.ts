import { randomBytes } from 'node:crypto';
import type { Actor } from '../../../api/face.js';
import { type Problem, Unprocessable } from '../../../platform/errors.js';
import type { JsonObject } from '../../../platform/json.js';
import type { Session } from '../../../platform/mysql/session.js';
import { firstProblems } from '../../../platform/validation/validate.js';
import { findAgentTypes } from '../agent-store.js';
import { givenAddress, WEBHOOK_TYPE } from '../../import/import-address.js';
import { LIMITS } from '../../import/import-limits.js';
import type { StoryRecord } from '../../story/story-store.js';
import { insertAgent } from '../../story/story-write-store.js';
import { newExtra } from './agent-extra.js';
import { linkProblems, settleLinks } from './agent-links.js';
import { pathTaken, settingProblems } from '../agent-problems.js';
import {
  type AgentDeps,
  type AgentSettings,
  placeAgent,
  scheduleAgent,
  writeInputs,
} from './agent-settings.js';

/** A new action; name, type and options are required. */
export interface NewAgent extends AgentSettings {
  type: string;
  name: string;
  options: JsonObject;
}

/** Adds an agent to a story that is locked, and returns its id. @throws Unprocessable, Conflict, QuotaReached. */
export async function createAgent(
  { actor, story }: { actor: Actor; story: StoryRecord },
  agent: NewAgent,
  deps: AgentDeps,
  session: Session,
): Promise<number> {
  const { types, next } = await findAgentTypes(story.id, session);
  refuse([
    ...settingProblems(agent.type, agent, deps.agentTypes),
    ...linkProblems(agent.links, agent, types),
    ...tooMany(types.size),
  ]);
  const guid = randomBytes(16).toString('hex');
  const options = { ...agent.options, ...addressOf(agent, guid) };
  const { path } = agent.type === WEBHOOK_TYPE ? givenAddress(options) : { path: undefined };
  const plan = {
    kept: undefined,
    guid,
    type: agent.type,
    name: agent.name,
    disabled: agent.disabled === true,
    options,
    keepEventsForSeconds: agent.keepEventsForSeconds ?? 0,
    webhookPath: path,
    extra: newExtra(guid, agent),
  };
  const id = await insertAgent(story.id, next, plan, session).catch(pathTaken(path));
  refuse(await settleLinks({ storyId: story.id, agentId: id }, agent.links, session));
  await placeAgent({ storyId: story.id, guid }, agent.position, session);
  await writeInputs({ storyId: story.id, guid }, agent.inputs, session);
  const written = { id, storyId: story.id, type: agent.type };
  await scheduleAgent(written, agent.schedule, { ...deps, actor }, session);
  return id;
}

function addressOf({ type, options }: NewAgent, guid: string): JsonObject {
  if (type !== WEBHOOK_TYPE) return {};
  const { path = guid, secret = randomBytes(16).toString('hex') } = givenAddress(options);
  return { path, secret };
}

function tooMany(count: number): Problem[] {
  if (count < LIMITS.agents) return [];
  return [{ message: `A story can have at most ${LIMITS.agents} actions`, details: 'story_id' }];
}

function refuse(problems: Problem[]): void {
  if (problems.length > 0) throw new Unprocessable(firstProblems(problems));
}
