import type { AgentResult } from '../agents/agent.js';
import { findAgentType } from '../agents/index.js';
import { webhookAgent } from '../agents/webhook-agent.js';
import { isTransient } from '../db/db-errors.js';
import { messageOf, PermanentJobError } from '../errors.js';
import type { Marks } from '../events/delivery-mark.js';
import type { DeliveryRow } from '../events/delivery-store.js';
import type { Logger } from '../logger.js';
import type { HttpClient } from '../outbound/http-client.js';
import type { TenantMailers } from '../mails/tenant-mailers.js';
import type { TenantQuotas } from '../quotas/tenant-quotas.js';
import type { AgentNode, StoryGraph } from '../stories/story-graph.js';
import type { StoryGraphs } from '../stories/story-graphs.js';
import type { RenderOptionsInput } from '../templates/option-renderer.js';
import type { NeededValues, TeamValues, TeamValuesSnapshot } from '../templates/team-values.js';
import type { SecretCalls } from '../templates/secrets/secret-calls.js';
import type { TemplateLanguage } from '../templates/template.js';
import { loadInput } from './agent-input.js';
import { CallContext, DeliveryScope } from './call-context.js';
import type { DeliveryLoader } from './delivery-loader.js';
import type { CachedEvent } from './event-cache.js';
import { inLane, mentionsOf } from './in-lane.js';
import type { LogEntry } from './outcome.js';
import { linksWith, type MadePrompts, type PromptLinks } from './prompt-links.js';
import type { OpenedSecrets } from './secrets/opened-secrets.js';
import { createSecretCalls } from './secrets/render-secrets.js';
import type { SecretVault } from './secrets/secret-vault.js';
import type { Stop } from './stop.js';
import { threadScope } from './thread-scope.js';
import type { ComputedResult, ThreadScope } from './thread-work.js';
import type { WorkLane } from './work-lane.js';

/** What agents are run with. */
export interface CallDeps {
  loader: DeliveryLoader;
  values: TeamValues;
  /** The credentials behind the references that `values` gives to templates. */
  vault: SecretVault;
  languages: Record<StoryGraph['language'], TemplateLanguage>;
  http: HttpClient;
  mailers: Pick<TenantMailers, 'of'>;
  newGuid(): string;
  /** Makes idempotency keys (promise 2). */
  marks: Marks;
  graphs: Pick<StoryGraphs, 'find' | 'findCurrent'>;
  prompts: PromptLinks;
  /** Where the work is done; absent where nobody else waits for it: here, however long it takes. */
  lane?: WorkLane;
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
  secrets: () => OpenedSecrets;
  /** Filled with the prompts whose links the templates have made. */
  prompts: MadePrompts;
}

/** What an action came to. */
export type CallResult = AgentResult | ComputedResult;

/** Renders the options for what the agent is to work on, and runs it. */
export async function callAgent(work: Work, call: Call): Promise<CallResult> {
  const { story, agent } = work;
  const type = findAgentType(agent.type);
  if (type === undefined)
    throw new PermanentJobError(`Actions of type ${agent.type} do not run on this server`);
  if (work.isStart && agent.type === webhookAgent.type) return inputAsOutput(work.event);
  const language = call.deps.languages[story.language];
  const named = await mentionsOf(work, language, call);
  const needed = type.readsWholeEvent?.(agent.options) === true ? 'all' : named.slugs;
  const input = await loadInput(work.event, needed, call.deps.loader);
  const values = needsValues(named) ? await loadValues(story.teamId, named, call.deps) : NO_VALUES;
  const markOf = await call.deps.marks();
  const mark = markOf(work.delivery);
  const keys = await call.deps.prompts.keys();
  const tainted = named.credentials || input.holdsReference;
  const render: RenderOptionsInput = {
    language,
    scope: new DeliveryScope(work, call.deps.domain, {
      input,
      values,
      prompt: linksWith(keys)(mark, call.prompts),
      secrets: tainted ? secretCalls(work, call) : undefined,
    }),
    valueOptions: type.valueOptions ?? [],
    rawOptions: type.rawOptions ?? [],
  };
  const context = new CallContext(work, call, { input, mark, tainted });
  const prompts = { ...keys, mark };
  const scope = () => threadScope({ render, input, prompts, secrets: secretsFor(render, work, call) });
  return inLane(work, { type, render, input, context, scope, call });
}

/** What a run began on is what its webhook puts out, as it is stored. */
function inputAsOutput(event: CachedEvent): CallResult {
  return { texts: [{ payload: event.text ?? JSON.stringify(event.payload), branch: 'normal' }] };
}

function secretCalls({ story }: Work, { deps, logs }: Call): SecretCalls {
  return createSecretCalls(story.teamId, { sign: (content) => deps.vault.signer().sign(content), logs });
}

/** What a thread makes the same with. */
function secretsFor({ scope }: RenderOptionsInput, { story }: Work, { deps }: Call): ThreadScope['secrets'] {
  if (scope.secrets === undefined) return undefined;
  return { teamId: story.teamId, key: deps.vault.hasKey ? deps.vault.signer().signingKey : undefined };
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
