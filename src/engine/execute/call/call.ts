import type { Logger } from '../../../platform/logger.js';
import type { MadePrompts, PromptLinks } from '../../prompts/prompt-links.js';
import type { JsonObject } from '../../../platform/json.js';
import type { AgentLogEntry } from '../../state/outcome.js';
import type { RunChainMarks } from '../../calls/run-chain-marks.js';
import type { DeliveryLoader } from '../delivery-loader.js';
import type { ComputedResult } from '../scheduling/thread-work.js';
import type { AgentResult, CheckedRule, RequestSender } from '../../../agents/face.js';
import type { IdempotencyKeys } from '../../state/runs/idempotency-keys.js';
import type { DeliveryRow } from '../../state/deliveries/delivery-store.js';
import type { HttpClient } from '../../../platform/outbound/http-exchange.js';
import type { TenantMailers } from '../../../data/face.js';
import type { TenantQuotas } from '../../../people/face.js';
import type { AgentNode, StoryGraph, StoryGraphs } from '../../../stories/face.js';
import type { TeamValues, TemplateLanguage } from '../../../language/face.js';
import type { CachedEvent } from '../../state/events/event-cache.js';
import type { SentRequests } from '../../secrets/redaction/sent-requests.js';
import type { OpenedSecrets } from '../../secrets/opened-secrets.js';
import type { SecretVault } from '../../secrets/secret-vault.js';
import type { Cancellation } from '../cancellation.js';
import type { JobClients } from './job-clients.js';
import type { StoredMailProgress } from './mail-progress.js';
import type { WorkLane } from '../scheduling/work-lane.js';

/** Dependencies for running agents. */
export interface CallDeps {
  loader: DeliveryLoader;
  values: TeamValues;
  /** The credentials behind the references that `values` returns to templates. */
  vault: SecretVault;
  languages: Record<StoryGraph['language'], TemplateLanguage>;
  http: HttpClient;
  mailers: Pick<TenantMailers, 'of'>;
  newGuid(): string;
  /** Makes idempotency keys (promise 2). */
  idempotencyKeys: IdempotencyKeys;
  graphs: Pick<StoryGraphs, 'find' | 'findCurrent'>;
  prompts: PromptLinks;
  /** Chooses event loop or thread; if absent, all work is done on the event loop, however long it takes. */
  lane?: WorkLane;
  limits: { maxAttempts: number; maxDepth: number; maxCallDepth: number };
  /** Spreads retries over time; `Math.random` unless given. */
  random?: () => number;
  /** The server's domain, for `META` in templates. */
  domain: string;
  logger: Logger;
  quotas: Pick<TenantQuotas, 'requireRecord'>;
  /** Marks requests to webhooks with their run; trials mark none. */
  chainMarks?: Pick<RunChainMarks, 'headersFor'>;
  /** Replaces the sender of requests by one that looks at the options too; only a trial of a story does. */
  watchSender?: ((sender: RequestSender) => RequestSender) | undefined;
  /** Called with the rules of a trigger as they were checked, by the trigger's id; only tests of stories look at it. */
  noteRules?: ((agentId: number, rules: CheckedRule[]) => void) | undefined;
  /** Whether the requests of HTTP actions are kept with what came of them (notes/runs.md, Sent requests); trials keep none. */
  keepsRequests?: true;
}

/** A delivery with its loaded story, agent and event. */
export interface Work {
  delivery: DeliveryRow;
  story: StoryGraph;
  agent: AgentNode;
  event: CachedEvent;
  /** The event is the input of a run that starts at this agent, not another agent's output. */
  isStart: boolean;
}

/** One execution of an agent, with the logs, secrets and prompts that it collects. */
export interface AgentCall {
  deps: CallDeps;
  stop: Cancellation;
  logs: AgentLogEntry[];
  /** The secrets that clients have resolved to text, so that messages and events can be redacted. */
  secrets: () => OpenedSecrets;
  /** Filled with the prompts whose links the templates created. */
  prompts: MadePrompts;
  mailProgress: StoredMailProgress;
  /** The request that was sent last, as it is kept; absent until one is to be sent, and if none is kept. */
  sent?: SentRequests | undefined;
  /** Whether a request or a mail was handed to its client. */
  hasSent?: boolean;
  /** Replaces the clients; absent: they stay. */
  watched?: JobClients | undefined;
  /** Called with the rendered options of each round; only a trial of an action looks at them. */
  onRendered?: ((options: JsonObject) => void) | undefined;
}

/** The result of an agent. */
export type CallResult = AgentResult | ComputedResult;
