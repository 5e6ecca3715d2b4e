import { type Actor, canWrite } from '../../api/face.js';
import { type AgentWork, countAgentWork } from '../activity/story-activity-store.js';
import type { Database } from '../../platform/mysql/database.js';
import type { Session } from '../../platform/mysql/session.js';
import { hideInObject, hideInText } from '../../platform/secrets/hidden-secrets.js';
import { type AgentRecord, findAgents, findLiveAgents, findWebhookSecrets } from './agent-store.js';
import { withoutWebhookSecrets } from './hidden-options.js';
import { type AgentActivity, findAgentActivity } from './agent-activity-store.js';
import { descriptionIn } from './write/agent-extra.js';
import { measureAgents } from './agent-list-store.js';

/** An agent as an actor may see it; `activity` is undefined if not requested. */
export interface AgentView extends AgentRecord {
  activity: AgentActivity | undefined;
  /** The action of the live story that it is a copy of; undefined: none, or it is no action of a draft. */
  liveId?: number | undefined;
  /** Its waiting and failed work; undefined if not requested. */
  work?: AgentWork | undefined;
  /** Warnings about it; undefined unless it was just written. */
  warnings?: string[] | undefined;
}

/** Bytes that one read of a list takes at once, and agents; one agent may be larger. */
const MAX_BYTES = 8 * 1024 * 1024;
const MAX_AGENTS = 100;

/** Returns these agents, without webhook secrets where the actor may only read. */
export async function viewAgents(
  actor: Actor,
  agents: AgentRecord[],
  { withActivity }: { withActivity: boolean },
  session: Session,
): Promise<AgentView[]> {
  const ids = agents.map(({ id }) => id);
  const activities = withActivity ? await findAgentActivity(ids, session) : new Map<number, AgentActivity>();
  const live = await findLiveAgents(agents, session);
  const whole = agents.map((agent) => ({
    ...agent,
    activity: activities.get(agent.id),
    liveId: live.get(agent.id),
  }));
  const readOnly = whole.filter(({ teamId }) => !canWrite(actor, teamId));
  if (readOnly.length === 0) return whole;
  const secrets = await findWebhookSecrets([...new Set(readOnly.map(({ storyId }) => storyId))], session);
  return whole.map((agent) =>
    canWrite(actor, agent.teamId)
      ? agent
      : withoutLinks(withoutWebhookSecrets(agent, secrets.get(agent.storyId) ?? [])),
  );
}

/** Hides addresses of webhooks in the texts beside the options. */
function withoutLinks(agent: AgentView): AgentView {
  const { extra, activity } = agent;
  const description = descriptionIn(extra);
  return {
    ...agent,
    ...(description !== null && { extra: { ...extra, description: hideInText(description) } }),
    activity: activity && { ...activity, memory: hideInObject(activity.memory) },
  };
}

/** Yields the agents of a page, in its order, and reads only a part of it at once. */
export async function* eachAgent(
  actor: Actor,
  ids: readonly number[],
  options: { withActivity: boolean },
  database: Pick<Database, 'read'>,
): AsyncGenerator<AgentView> {
  const { parts, work } = await database.read(async (session) => ({
    parts: await partsOf(ids, session),
    work: options.withActivity ? await countAgentWork(ids, session) : new Map<number, AgentWork>(),
  }));
  for (const part of parts) {
    const agents = await database.read(async (session) =>
      viewAgents(actor, await findAgents(part, session), options, session),
    );
    for (const agent of agents) yield { ...agent, work: work.get(agent.id) };
  }
}

async function partsOf(ids: readonly number[], session: Session): Promise<number[][]> {
  const sizes = await measureAgents(ids, session);
  const parts: number[][] = [];
  let stories = new Set<number>();
  let bytes = Infinity;
  for (const id of ids) {
    const size = sizes.get(id);
    if (size === undefined) continue;
    const more = size.bytes + (stories.has(size.storyId) ? 0 : size.storyBytes);
    if (bytes + more > MAX_BYTES || (parts.at(-1)?.length ?? 0) >= MAX_AGENTS) {
      parts.push([]);
      stories = new Set();
      bytes = 0;
    }
    parts.at(-1)?.push(id);
    bytes += size.bytes + (stories.has(size.storyId) ? 0 : size.storyBytes);
    stories.add(size.storyId);
  }
  return parts;
}
