import type Joi from 'joi';
import type { JsonObject, JsonValue } from '../platform/json.js';
import type { HttpResponse, HttpRequest, NoResponse } from '../platform/outbound/http-exchange.js';
import type { RefusedRecipient } from '../platform/errors.js';
import type { Mail } from '../platform/outbound/mail/mail.js';
import type { DeliveryQueue } from './delivery-queues.js';
import type { OptionChecks } from './options/option-rules.js';

/** Levels of an action's log, as the API numbers them. */
export const LOG_LEVELS = { debug: 1, info: 2, warn: 3, error: 4 } as const;
export type AgentLogLevel = keyof typeof LOG_LEVELS;

/** Which links an output follows: the normal ones, the no-match branch, or both. */
export type OutputBranch = 'normal' | 'secondary' | 'all';

/** One event to be stored and delivered to the next agents. */
export interface AgentOutput {
  payload: JsonValue;
  /** Default `normal`. An output for `secondary` links is dropped if the agent has none. */
  branch?: OutputBranch;
  /** The request that it came of, as it is kept (`Exchange.sent`). */
  request?: string | undefined;
}

/** The agent finished and emits events. */
export interface Emitted {
  outputs: AgentOutput[];
  /** The agent failed and emits only this event: the next page is not requested. */
  failed?: true;
}

/** Outputs as the JSON text to be stored, because they were too large for the shared event loop. */
export interface EmittedText {
  texts: { payload: string; branch: OutputBranch; request?: string | undefined }[];
  failed?: true;
}

/** The agent sleeps. It then runs again on the same event, with `context.resumed` set. */
export interface Asleep {
  sleep: { seconds: number } | { until: Date };
}

/** The item joins a group, which emits one event when it is complete or its time is over (implode). */
export interface Gathered {
  gather: {
    /** The group's key, unique within the action. */
    group: string;
    size: number;
    /** The item's position in the list; undefined: the order of arrival. */
    position: number | undefined;
    item: JsonValue;
    /** How long the group waits for its missing items. */
    timeoutSeconds: number;
    /** Whether an incomplete group is emitted after that time; otherwise its deliveries become dead letters. */
    partial: boolean;
  };
}

/** Another story does the work; each event of its exit actions becomes an event of this action. */
export interface Called {
  call: {
    /** Id, slug or name. */
    story: string;
    payload: JsonObject;
    /** Whether the entry action's event has the payload under `body`; undefined: the called story's schema version decides. */
    asBody: boolean | undefined;
    /** A draft of the story is called instead: its newest one, or that with this id or name. */
    draft: 'newest' | { named: string } | undefined;
  };
}

/** A decision that needs the database, in the transaction that stores the result (rule 10). */
export type Claim =
  | {
      kind: 'deduplicate';
      /** Hex digest of the value. */
      digest: string;
      /** How many of the latest passed values are compared. */
      lookback: number;
      /** How long a passed value counts. */
      periodSeconds: number | undefined;
      /** How many times a value passes before it counts as a duplicate. */
      tolerance: number;
    }
  | {
      kind: 'record';
      /** The record type's name, in the story's team. */
      recordType: string;
      /** By field name, in the order of the action. */
      values: { field: string; value: JsonValue }[];
    }
  | {
      kind: 'throttle';
      /** Events that pass together. */
      perSlot: number;
      /** Milliseconds from one slot to the next. */
      slotMs: number;
    };

/** The outputs depend on stored data: the results of other deliveries, or the record that is written. */
export interface Claimed {
  claim: Claim;
  granted: AgentOutput[];
  refused: AgentOutput[];
}

/** The result of one run of an agent. It takes effect completely or not at all. */
export type AgentResult = Emitted | EmittedText | Asleep | Gathered | Called | Claimed;

/** Sends requests. Options may hold references to secrets; only the argument of `build` holds the secrets themselves. */
export interface RequestSender {
  /**
   * Returns network errors and error responses as an `Exchange`. `mask` gives the request that is kept of it; without it
   * none is.
   * @throws the errors of `build`; PermanentJobError for a credential that may not be sent to this host.
   */
  send<Options>(
    options: Options,
    build: (opened: Options) => HttpRequest,
    mask?: MaskRequest,
  ): Promise<Exchange>;
}

/**
 * Builds a request once more, from options whose references to secrets are markers; without `withBody` no body.
 * @throws PermanentJobError if a marker stands where a request cannot have it.
 */
export type MaskRequest = (part: { withBody: boolean }) => HttpRequest;

/** A request's body and its `content-type`. */
export interface RequestBody {
  body: Buffer;
  contentType: string;
  /** The changes that were made to write it, for the action's log. */
  note?: string;
}

/** The outcome of a request. */
export interface Exchange {
  response: HttpResponse | NoResponse;
  /** The host that the request was sent to, before any redirect. */
  host: string;
  /** The request as it is kept: JSON without secrets (notes/runs.md, Sent requests); undefined: none is kept. */
  sent?: string | undefined;
}

/** Sends mails, in the same way. */
export interface MailSender {
  /** Returns the built mail and the refused addresses. @throws as `Mailer.send` and `RequestSender.send`. */
  send<Options, Built extends { mail: Mail }>(
    options: Options,
    build: (opened: Options) => Built,
    signal: AbortSignal,
  ): Promise<{ built: Built; refused: RefusedRecipient[] }>;
}

/** The result of a mail for one recipient: the server took it, or refused it for good. */
export type MailState = 'has' | 'refused';

/** The results of a delivery's mails, kept from one attempt to the next. */
export interface MailProgress {
  /** Returns undefined if the mail of this round has still to be sent to the address. */
  stateOf(round: string, address: string): MailState | undefined;
  note(round: string, addresses: readonly string[], state: MailState): void;
}

/** Calls of stories that have ended. */
export interface EndedCalls {
  count: number;
  /**
   * Returns what the exits gave, for each call from this place on (from 0), in the order of the calls.
   * @throws PermanentJobError if it is too much to be held.
   */
  results(from: number): Promise<JsonValue[][]>;
}

/** Everything that an agent can access. Agents know no database, no queue and no web request. */
export interface AgentContext {
  agent: { id: number; guid: string; name: string; type: string };
  story: { id: number; tenantId: number; name: string; schemaVersion: number };
  storyRunGuid: string;
  /** The complete input: one key for each upstream action (spec §5.1). */
  event: JsonObject;
  /** Returns the stories' calls that this delivery has made, all of which have ended. Absent for agents that make none. */
  endedCalls?: (() => Promise<EndedCalls>) | undefined;
  /** Whether this delivery has slept, and its sleep is over. */
  resumed: boolean;
  /** Number of earlier attempts of this delivery. */
  attempt: number;
  /** Maximum number of attempts; this one is the last when `attempt + 1 >= maxAttempts`. */
  maxAttempts: number;
  /** The same for every attempt of this delivery; a retry by hand has another (promise 2). */
  idempotencyKey: string;
  /** Which round of a loop this is: the end of its key; empty without a loop. */
  round: string;
  mailProgress: MailProgress;
  http: RequestSender;
  mailer: MailSender;
  newGuid: () => string;
  /**
   * Builds the event of a large response in a thread, as JSON text. Absent if the value itself is needed, or if this
   * process has no threads for it.
   */
  writeResponse?:
    | ((response: Pick<HttpResponse, 'status' | 'headers' | 'body'>) => Promise<string>)
    | undefined;
  /** Does the same and returns the value; undefined: the agent builds the event itself. */
  readResponse?:
    | ((response: Pick<HttpResponse, 'status' | 'headers' | 'body'>) => Promise<JsonObject>)
    | undefined;
  /** The request's body, if a thread has encoded it (`AgentDefinition.writeBody`). */
  body?: RequestBody | undefined;
  /** Aborts when the delivery's deadline passes or the process stops. Created at its first use. */
  signal: () => AbortSignal;
  /** Called by a trigger with its rules, in their order; only tests of stories look at it. */
  noteRules?: ((rules: CheckedRule[]) => void) | undefined;
  /** Adds a line to the action's log, which is stored together with the result. */
  log: (level: AgentLogLevel, message: string) => void;
}

/** A rule of a trigger with what it compared, rendered. */
export interface CheckedRule {
  type: string;
  path: JsonValue | undefined;
  value: JsonValue | undefined;
  holds: boolean;
}

/**
 * An agent type. The engine renders the options' templates, validates them with `options`
 * (numbers and booleans may be given as text), and calls `run`.
 */
export interface AgentDefinition<Options> {
  /** The name in exports: `Agents::TriggerAgent`. */
  type: string;
  /** The queue of its deliveries; undefined for a root, which receives none. */
  queue: DeliveryQueue | undefined;
  options: Joi.Schema<Options>;
  /** Rules of its options that the schema does not have. */
  checks?: OptionChecks;
  /** It cannot run once for each element of a list. */
  loops?: false;
  /**
   * Option paths (`path`, `rules.*.path`; `*` stands for any key or index). If a template is the whole text there, it
   * gives the value itself instead of text (spec §8.2).
   */
  valueOptions?: string[];
  /** Option paths that are not rendered before `run`. */
  rawOptions?: string[];
  /** Most characters of all rendered options together, if other than 16 Mi. */
  mostCharacters?: number;
  /** It does no I/O: its result depends only on its options and the event. */
  computes?: true;
  /** Whether it runs once for each page, if its option `pagination` asks for pages. */
  paginates?: true;
  /** Whether it reads `context.event` beyond the values that its templates name; `options` are not rendered yet. */
  readsWholeEvent?(options: JsonObject): boolean;
  /**
   * Encodes the request body for these rendered options. It runs in the thread that rendered them; the result becomes
   * `context.body`, and `payload` is left out. Returns undefined if there is no body, or if it holds references to secrets.
   * @throws PermanentJobError as `run`.
   */
  writeBody?(rendered: JsonObject, idempotencyKey: string): RequestBody | undefined;
  /**
   * Writes nothing; returns the result to be stored.
   * @throws AgentError for another attempt, PermanentJobError for a dead letter.
   */
  run(options: Options, context: AgentContext): Promise<AgentResult> | AgentResult;
}

/** Returns the definition unchanged; the type checker keeps its option type and checks its shape. */
export function defineAgent<Options>(definition: AgentDefinition<Options>): AgentDefinition<Options> {
  return definition;
}
