import type { Logger } from '../../platform/logger.js';
import type { MadePrompts, PromptLinks } from '../prompts/prompt-links.js';
import type { LogEntry } from '../state/outcome.js';
import type { DeliveryLoader } from './delivery-loader.js';
import type { ComputedResult } from './lane/thread-work.js';
import type { AgentResult } from '../../agents/agent.js';
import type { Marks } from '../state/idempotency-key.js';
import type { DeliveryRow } from '../state/delivery-store.js';
import type { HttpClient } from '../../platform/outbound/http-exchange.js';
import type { TenantMailers } from '../../mails/tenant-mailers.js';
import type { TenantQuotas } from '../../access/quotas/tenant-quotas.js';
import type { AgentNode, StoryGraph } from '../../stories/story-graph.js';
import type { StoryGraphs } from '../../stories/story-graphs.js';
import type { TeamValues } from '../../language/team-values.js';
import type { TemplateLanguage } from '../../language/template.js';
import type { CachedEvent } from '../state/event-cache.js';
import type { OpenedSecrets } from '../secrets/opened-secrets.js';
import type { SecretVault } from '../secrets/secret-vault.js';
import type { Stop } from './cancellation.js';
import type { WorkLane } from './lane/work-lane.js';

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
