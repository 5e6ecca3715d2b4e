import type { AgentContext, AgentResult } from '../agents/agent.js';
import { type AgentType, findAgentType } from '../agents/index.js';
import { runAgent } from '../agents/options.js';
import { webhookAgent } from '../agents/webhook-agent.js';
import { isTransient } from '../db/db-errors.js';
import { messageOf, PermanentJobError } from '../errors.js';
import type { Marks } from '../events/delivery-mark.js';
import type { DeliveryRow } from '../events/delivery-store.js';
import type { JsonObject } from '../json.js';
import type { Logger } from '../logger.js';
import type { HttpClient } from '../outbound/http-client.js';
import type { Mailer } from '../outbound/mailer.js';
import type { TenantQuotas } from '../quotas/tenant-quotas.js';
import type { AgentNode, StoryGraph } from '../stories/story-graph.js';
import type { StoryGraphs } from '../stories/story-graphs.js';
import { renderOptions, type RenderOptionsInput } from '../templates/option-renderer.js';
import type { NeededValues, TeamValues, TeamValuesSnapshot } from '../templates/team-values.js';
import type { TemplateLanguage } from '../templates/template.js';
import { mentions } from '../templates/template-mentions.js';
import { cumulativePayload } from './agent-input.js';
import { loopOf, runLoop } from './agent-loop.js';
import { paginationOf, runPages } from './agent-pages.js';
import type { DeliveryLoader } from './delivery-loader.js';
import type { CachedEvent } from './event-cache.js';
import type { LogEntry } from './outcome.js';
import type { MadePrompts, PromptLinks } from './prompt-links.js';
import type { OpenedSecrets } from './secrets/opened-secrets.js';
import { redacting } from './secrets/redacting-agent.js';
import { createSecretCalls } from './secrets/render-secrets.js';
import { createMailSender, createRequestSender } from './secrets/secret-senders.js';
import type { SecretVault } from './secrets/secret-vault.js';
import type { Stop } from './stop.js';

/** What agents are run with. */
export interface CallDeps {
  loader: DeliveryLoader;
  values: TeamValues;
  /** The credentials behind the references that `values` gives to templates. */
  vault: SecretVault;
  languages: Record<StoryGraph['language'], TemplateLanguage>;
  http: HttpClient;
  mailer: Mailer;
  newGuid(): string;
  /** Makes idempotency keys (ARCHITECTURE, promise 2). */
  marks: Marks;
  graphs: Pick<StoryGraphs, 'find' | 'findCurrent'>;
  prompts: PromptLinks;
  limits: { maxAttempts: number; maxDepth: number; maxCallDepth: number };
  /** Spreads retries over time; `Math.random` unless given. */
  random?: () => number;
  /** What `META` says in templates: where this server is reached. */
  domain: string;
  logger: Logger;
  quotas: Pick<TenantQuotas, 'requireRecord'>;
}

/** Everything that is known about one delivery. */
export interface Work {
  delivery: DeliveryRow;
  story: StoryGraph;
  agent: AgentNode;
  event: CachedEvent;
  /** The event is the input of a run that begins with this agent, not another's output. */
  isStart: boolean;
}

/** One call of an agent, and what gathers on the way. */
export interface Call {
  deps: CallDeps;
  stop: Stop;
  logs: LogEntry[];
  /** What the clients have made text of, so that no message and no event gives it away. */
  secrets: OpenedSecrets;
  /** Filled with the prompts whose links the templates have made. */
  prompts: MadePrompts;
}

/** Renders the options for what the agent is to work on, and runs it. */
export async function callAgent(work: Work, call: Call): Promise<AgentResult> {
  const { story, agent } = work;
  const type = findAgentType(agent.type);
  if (type === undefined)
    throw new PermanentJobError(`Actions of type ${agent.type} do not run on this server`);
  if (work.isStart && agent.type === webhookAgent.type) return { outputs: [{ payload: work.event.payload }] };
  const language = call.deps.languages[story.language];
  const named = mentions(agent.options, language);
  const needed = type.readsWholeEvent?.(agent.options) === true ? 'all' : named.slugs;
  let tainted = named.credentials;
  const payload = await cumulativePayload(work.event, needed, call.deps.loader, () => {
    tainted = true;
  });
  const values = needsValues(named) ? await loadValues(story.teamId, named, call.deps) : NO_VALUES;
  const markOf = await call.deps.marks();
  const mark = markOf(work.delivery);
  const linksOf = await call.deps.prompts.maker();
  const input: RenderOptionsInput = {
    language,
    scope: {
      event: payload,
      ...values,
      meta: metaOf(work, call.deps.domain),
      storyRunGuid: work.delivery.storyRunGuid,
      prompt: linksOf(mark, call.prompts),
      secrets: tainted ? createSecretCalls(story.teamId, call) : undefined,
    },
    valueOptions: type.valueOptions ?? [],
    rawOptions: type.rawOptions ?? [],
  };
  const context = contextOf(work, { event: payload, mark, call });
  return runRounds(redacting(type, call.secrets), { options: agent.options, input, context });
}

/** Once, once for each element of its loop, or once for each page. */
async function runRounds(
  type: AgentType,
  round: { options: JsonObject; input: RenderOptionsInput; context: AgentContext },
): Promise<AgentResult> {
  const { options, input, context } = round;
  const loop = loopOf(options, input);
  const pagination = paginationOf(type, options);
  if (loop !== undefined && pagination !== undefined) {
    throw new PermanentJobError('options loop and pagination cannot be used together');
  }
  if (loop !== undefined) return runLoop(type, { loop, ...round });
  if (pagination !== undefined) return runPages(type, { pagination, ...round });
  return runAgent(type, renderOptions(options, input), context);
}

const NO_VALUES: TeamValuesSnapshot = { resources: new Map(), credentials: new Map(), stories: new Map() };

function needsValues({ resources, credentials, stories }: NeededValues): boolean {
  return resources || credentials || stories;
}

/** That no ENCRYPTION_KEY is configured is no matter of time: no attempt of ours will cure it. */
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

function contextOf(
  work: Work,
  { event, mark, call }: { event: JsonObject; mark: string; call: Call },
): AgentContext {
  const { delivery, story, agent } = work;
  const { deps } = call;
  return {
    agent: { id: agent.id, guid: agent.guid, name: agent.name, type: agent.type },
    story: { id: story.id, tenantId: story.tenantId, name: story.name, schemaVersion: story.schemaVersion },
    storyRunGuid: delivery.storyRunGuid,
    event,
    resumed: delivery.resumed,
    attempt: delivery.attempts,
    maxAttempts: deps.limits.maxAttempts,
    idempotencyKey: `${mark}-${delivery.retries}`,
    http: createRequestSender(deps.http, call.secrets),
    mailer: createMailSender(deps.mailer, call.secrets),
    newGuid: () => deps.newGuid(),
    signal: () => call.stop.signal,
    log: (level, message) => call.logs.push({ level, message }),
  };
}
