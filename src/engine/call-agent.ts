import type { AgentContext, AgentResult } from '../agents/agent.js';
import { findAgentType } from '../agents/index.js';
import { runAgent } from '../agents/options.js';
import { isTransient } from '../db/db-errors.js';
import { messageOf, PermanentJobError } from '../errors.js';
import type { DeliveryRow } from '../events/delivery-store.js';
import type { JsonObject } from '../json.js';
import type { Logger } from '../logger.js';
import type { HttpClient } from '../outbound/http-client.js';
import type { Mailer } from '../outbound/mailer.js';
import type { AgentNode, StoryGraph } from '../stories/story-graph.js';
import { renderOptions } from '../templates/option-renderer.js';
import type { NeededValues, TeamValues, TeamValuesSnapshot } from '../templates/team-values.js';
import type { TemplateLanguage } from '../templates/template.js';
import { type Mentions, mentions } from '../templates/template-mentions.js';
import { cumulativePayload } from './agent-input.js';
import type { DeliveryLoader } from './delivery-loader.js';
import type { CachedEvent } from './event-cache.js';
import type { LogEntry } from './outcome.js';

/** What agents are run with. */
export interface CallDeps {
  loader: DeliveryLoader;
  values: TeamValues;
  languages: Record<StoryGraph['language'], TemplateLanguage>;
  http: HttpClient;
  mailer: Mailer;
  newGuid(): string;
  /** Of this database: makes idempotency keys (ARCHITECTURE, promise 2). */
  epoch(): Promise<string>;
  limits: { maxAttempts: number; maxDepth: number };
  /** What `META` says in templates: where this server is reached. */
  domain: string;
  logger: Logger;
}

/** Everything that is known about one delivery. */
export interface Work {
  delivery: DeliveryRow;
  story: StoryGraph;
  agent: AgentNode;
  event: CachedEvent;
}

/** One call of an agent, and what gathers on the way. */
export interface Call {
  deps: CallDeps;
  signal: AbortSignal;
  logs: LogEntry[];
  /** Filled with the credentials the templates could see, so that no message gives one away. */
  secrets: Map<string, string>;
  /** Those of them that the action names. */
  named: Map<string, string>;
}

export async function callAgent(work: Work, call: Call): Promise<AgentResult> {
  const { delivery, story, agent, event } = work;
  const type = findAgentType(agent.type);
  if (type === undefined)
    throw new PermanentJobError(`Actions of type ${agent.type} do not run on this server`);
  const language = call.deps.languages[story.language];
  const named = mentions(agent.options, language);
  const payload = await cumulativePayload(event, named.slugs, call.deps.loader);
  const values = await loadValues(story.teamId, named, call.deps);
  noteSecrets(values.credentials, { agent, named, call });
  const rendered = renderOptions(agent.options, {
    language,
    scope: {
      event: payload,
      ...values,
      meta: metaOf(work, call.deps.domain),
      storyRunGuid: delivery.storyRunGuid,
    },
    valueOptions: type.valueOptions ?? [],
    rawOptions: type.rawOptions ?? [],
  });
  return runAgent(type, rendered, await contextOf(work, payload, call));
}

/** Where a name is computed, all credentials count as named. */
function noteSecrets(
  credentials: TeamValuesSnapshot['credentials'],
  { agent, named, call }: { agent: AgentNode; named: Mentions; call: Call },
): void {
  if (credentials.size === 0) return;
  const options = JSON.stringify(agent.options);
  for (const [name, secret] of credentials) {
    call.secrets.set(name, secret);
    if (named.slugs === 'all' || options.includes(JSON.stringify(name).slice(1, -1)))
      call.named.set(name, secret);
  }
}

/** A credential that cannot be read is a matter of configuration: no attempt of ours will cure it. */
async function loadValues(teamId: number, needs: NeededValues, deps: CallDeps): Promise<TeamValuesSnapshot> {
  try {
    return await deps.values.load(teamId, needs);
  } catch (error) {
    if (isTransient(error)) throw error;
    throw new PermanentJobError(messageOf(error), { cause: error });
  }
}

function metaOf({ story, delivery }: Work, domain: string): JsonObject {
  return {
    tenant: { domain },
    story: { id: story.id, name: story.name, guid: story.guid },
    story_run: { id: delivery.storyRunGuid, guid: delivery.storyRunGuid },
  };
}

async function contextOf(work: Work, event: JsonObject, call: Call): Promise<AgentContext> {
  const { delivery, story, agent } = work;
  const { deps } = call;
  return {
    agent: { id: agent.id, guid: agent.guid, name: agent.name, type: agent.type },
    story: { id: story.id, name: story.name, schemaVersion: story.schemaVersion },
    storyRunGuid: delivery.storyRunGuid,
    event,
    attempt: delivery.attempts,
    maxAttempts: deps.limits.maxAttempts,
    idempotencyKey: `${await deps.epoch()}-${delivery.id}-${delivery.retries}`,
    http: deps.http,
    mailer: deps.mailer,
    newGuid: () => deps.newGuid(),
    signal: call.signal,
    log: (level, message) => call.logs.push({ level, message }),
  };
}
