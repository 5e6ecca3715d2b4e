import { isTransient } from '../../platform/mysql/db-errors.js';
import { AgentError, AppError, NotFound, Unavailable } from '../../platform/errors.js';
import type { JsonObject } from '../../platform/json.js';
import { stringifyJson } from '../../platform/json/exact-number.js';
import type { HttpClient } from '../../platform/outbound/http-exchange.js';
import { createConcurrencyLimit } from '../../platform/runtime/concurrency-limit.js';
import { valueWithMarkers } from '../../platform/secrets/secret-reference.js';
import { NO_QUOTAS } from '../../people/face.js';
import type { ActionTrial, TrialOrder, TrialRequest, TryAction } from './action-trial.js';
import {
  type AgentCall,
  type CachedEvent,
  callAgent,
  type CallDeps,
  Cancellation,
  createPromptLinks,
  type DeliveryLoader,
  type DeliveryRow,
  failureOf,
  hasFailureReceiver,
  NoSlot,
  type OpenedSecrets,
  type Outcome,
  type SecretVault,
  StoredMailProgress,
  toOutcome,
  undone,
  type Work,
} from '../../engine/face.js';
import { mailOf } from '../report/trial-report.js';
import { keepingMailer } from '../answers/noted-outbound.js';
import { notingClient, NotSent, unsendingClient } from './trial-outbound.js';
import { presentOutcome } from './trial-outcome.js';
import { lineageOfInput, MOST_RETRIES, parseLineage, START_QUEUE, webhookAgent } from '../../agents/face.js';
import { parseJson } from '../../platform/json/parse-json.js';

/** The ids of what is not stored. */
const NO_ID = 0;

/** Time that one trial may take, with what it sends. */
const DEADLINE_MS = 30_000;
/** Trials at once in this process: each may hold a thread, a connection and a large event. */
const MOST_AT_ONCE = { ofGroup: 4, ofAll: 16 };
/** Larger parts are left out of the response. */
const MAX_SHOWN_CHARACTERS = 2 * 1024 * 1024;
const PROMPT_SECONDS = 60;

/** The dependencies of a trial. */
export interface TryActionDeps
  extends Pick<
    CallDeps,
    | 'loader'
    | 'values'
    | 'languages'
    | 'newGuid'
    | 'graphs'
    | 'lane'
    | 'domain'
    | 'logger'
    | 'limits'
    | 'mailers'
  > {
  /** Sends the requests of trials that are really sent. */
  http: HttpClient;
  /** The vault for such trials, and one whose secrets are markers, for the others. */
  vaults: { real: SecretVault; marked: SecretVault };
  baseUrl: string;
}

/** Creates the function that tries actions. */
export function createTryAction(deps: TryActionDeps): TryAction {
  const limit = createConcurrencyLimit(MOST_AT_ONCE, 'Too many action trials are running at the same time');
  return (order) => limit(order.story.tenantId, () => tryOnce(order, deps));
}

/** The requests, mails and prompts of the action while it runs. */
interface Seen {
  options: JsonObject | undefined;
  requests: TrialRequest[];
  mails: ActionTrial['mails'];
}

async function tryOnce(order: TrialOrder, deps: TryActionDeps): Promise<ActionTrial> {
  const began = performance.now();
  const work = await trialWork(order, { ...deps, maxAttempts: deps.limits.maxAttempts });
  order.left.throwIfAborted();
  const seen: Seen = { options: undefined, requests: [], mails: [] };
  const stop = new Cancellation();
  const timer = setTimeout(() => stop.abort(new AgentError('The action took too long')), DEADLINE_MS);
  const { left } = order;
  const onLeft = () => stop.abort(left.reason as Error);
  left.addEventListener('abort', onLeft);
  const vault = order.sends ? deps.vaults.real : deps.vaults.marked;
  const secrets = vault.forTeam(order.story.teamId, order.story.tenantId);
  const call: AgentCall = {
    deps: callDeps(order, { deps, seen, vault }),
    stop,
    logs: [],
    secrets: () => secrets,
    prompts: new Map(),
    mailProgress: new StoredMailProgress(null),
    onRendered: (options) => (seen.options ??= options),
  };
  try {
    const outcome = await outcomeOf(work, call);
    left.throwIfAborted();
    return answerOf(outcome, { seen, secrets, tookMs: performance.now() - began });
  } finally {
    clearTimeout(timer);
    left.removeEventListener('abort', onLeft);
  }
}

function callDeps(
  { sends, story }: TrialOrder,
  { deps, seen, vault }: { deps: TryActionDeps; seen: Seen; vault: SecretVault },
): CallDeps {
  const note = (request: TrialRequest) => void seen.requests.push(request);
  const mark = `trial-${deps.newGuid()}`;
  return {
    ...deps,
    vault,
    http: sends ? notingClient(deps.http, note) : unsendingClient(note),
    mailers: {
      of: (tenantId, log) => {
        const kept = keepingMailer((mail) => void seen.mails.push(mailOf(mail)));
        if (!sends) return kept;
        const mailer = deps.mailers.of(tenantId, log);
        return {
          ...mailer,
          send: async (mail, signal) => {
            await kept.send(mail);
            return mailer.send(mail, signal);
          },
        };
      },
    },
    idempotencyKeys: () => Promise.resolve(() => mark),
    prompts: createPromptLinks({
      secret: () => Promise.resolve('trial'),
      baseUrl: deps.baseUrl,
      expiresInSeconds: PROMPT_SECONDS,
    }),
    graphs: {
      ...deps.graphs,
      find: (id) => (id === story.id ? Promise.resolve(story) : deps.graphs.find(id)),
    },
    quotas: NO_QUOTAS,
  };
}

/** Returns undefined if the action ended at a request that is not sent. @throws Unavailable; what the database throws. */
async function outcomeOf(work: Work, call: AgentCall): Promise<Outcome | undefined> {
  try {
    return await toOutcome(work, await call.stop.heededBy(callAgent(work, call)), call);
  } catch (error) {
    if (error instanceof NotSent) return undefined;
    if (error instanceof NoSlot) throw new Unavailable('No thread is available', { cause: error });
    if (isTransient(error) || error instanceof AppError) throw error;
    const letter = undone(work, { ...call, error });
    return letter.kind === 'failed' && hasFailureReceiver(work) ? failureOf(work, letter) : letter;
  }
}

interface Given {
  seen: Seen;
  secrets: OpenedSecrets;
  tookMs: number;
}

function answerOf(outcome: Outcome | undefined, { seen, secrets, tookMs }: Given): ActionTrial {
  const nothing = { outputs: [], effect: undefined, error: undefined, logs: [] };
  const shown = outcome === undefined ? nothing : presentOutcome(outcome);
  const leftOut: string[] = [];
  const fitting = <Part>(name: string, part: Part, otherwise: Part): Part => {
    if (part === undefined || stringifyJson(part).length <= MAX_SHOWN_CHARACTERS) return part;
    leftOut.push(name);
    return otherwise;
  };
  const redacted = <Part>(part: Part): Part =>
    part === undefined ? part : (secrets.redactValue(valueWithMarkers(part as never)) as Part);
  return {
    options: redacted(fitting('options', seen.options, undefined)),
    requests: redacted(fitting('requests', seen.requests.map(withBody), [])),
    mails: redacted(fitting('mails', seen.mails, [])),
    outputs: redacted(fitting('outputs', shown.outputs, [])),
    effect: redacted(fitting('effect', shown.effect, undefined)),
    logs: shown.logs,
    error: shown.error,
    leftOut,
    tookMs,
  };
}

/** JSON has no undefined values. */
function withBody(request: TrialRequest): TrialRequest {
  const entries = Object.entries(request).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as unknown as TrialRequest;
}

/** Returns the work of a trial: the last attempt of a delivery that does not exist. @throws NotFound if the event is gone. */
async function trialWork(
  { story, agent, input }: TrialOrder,
  deps: { loader: DeliveryLoader; newGuid: () => string; maxAttempts: number },
): Promise<Work> {
  const storyRunGuid = 'json' in input ? deps.newGuid() : input.storyRunGuid;
  const event = 'json' in input ? givenEvent(input.json) : await deps.loader.event(input.eventId);
  if (event === undefined) throw new NotFound('Event');
  const isStart = 'json' in input;
  const delivery: DeliveryRow = {
    id: NO_ID,
    storyRunGuid,
    storyId: story.id,
    agentId: agent.id,
    eventId: event.id,
    queue: START_QUEUE,
    awaited: false,
    called: false,
    depth: 1,
    state: 'pending',
    generation: 0,
    attempts: Math.max(deps.maxAttempts, MOST_RETRIES + 1) - 1,
    retries: 0,
    resumeAt: null,
    mailProgress: null,
    resumed: false,
    cancelled: false,
    dueSoon: false,
    createdAt: new Date(),
  };
  return { delivery, story, agent, event, isStart: isStart && agent.type === webhookAgent.type };
}

/** The input of a run, as `insertStarts` would store it. */
function givenEvent(json: string): CachedEvent {
  return {
    id: NO_ID,
    agentId: NO_ID,
    payload: parseJson(json),
    lineage: parseLineage(lineageOfInput(json)),
    text: json,
  };
}
