import type Joi from 'joi';
import type { JsonObject, JsonValue } from '../platform/json.js';
import type { HttpAnswer, HttpRequest, NoAnswer } from '../platform/outbound/http-exchange.js';
import type { Mail, RefusedRecipient } from '../platform/outbound/mail.js';
import type { DeliveryQueue } from './delivery-queues.js';

/** Levels of an action's log, as the API numbers them. */
export const LOG_LEVELS = { debug: 1, info: 2, warn: 3, error: 4 } as const;
export type LogLevel = keyof typeof LOG_LEVELS;

/** Which links an output follows: the normal ones, the no-match branch, or both. */
export type Branch = 'normal' | 'secondary' | 'all';

/** One event to be stored and passed on. */
export interface Output {
  payload: JsonValue;
  /** Default `normal`. An output for `secondary` links is dropped where the agent has none. */
  branch?: Branch;
}

/** It did its work. */
export interface Emitted {
  outputs: Output[];
  /** What it was to do failed, and this is all that comes of it: no next page is asked for. */
  failed?: true;
}

/** The same as JSON text, as it will be stored: it was too large for the event loop that others share. */
export interface EmittedText {
  texts: { payload: string; branch: Branch }[];
  failed?: true;
}

/** It goes on later: it is run again then, on the same event, with `context.resumed` set. */
export interface Asleep {
  sleep: { seconds: number } | { until: Date };
}

/** Its output comes when its group is whole, or its time is over: one event for all of them (implode). */
export interface Gathered {
  gather: {
    /** What holds the group together, within the action. */
    group: string;
    size: number;
    /** Where the item belongs in the list; unknown: in the order of arrival. */
    position: number | undefined;
    item: JsonValue;
    /** How long the group waits for the rest. */
    timeoutSeconds: number;
    /** Whether it is taken as it is after that; else it is given up. */
    partial: boolean;
  };
}

/** Another story does the work; each event of its exit actions becomes one of this action's. */
export interface Called {
  call: {
    /** Id, slug or name. */
    story: string;
    payload: JsonObject;
    /** Whether the entry action's event has the payload under `body`; undefined: as the called story's age says. */
    asBody: boolean | undefined;
  };
}

/** What only the database can say, in the transaction that stores the result (rule 10). */
export type Claim =
  | {
      kind: 'deduplicate';
      /** Hex digest of the value. */
      digest: string;
      /** Values let through that are looked at. */
      lookback: number;
      /** How long one counts. */
      periodSeconds: number | undefined;
      /** How many times it is let through before it is a duplicate. */
      tolerance: number;
    }
  | {
      kind: 'record';
      /** Its name, in the team of the story. */
      recordType: string;
      /** By the name of the field, in the order of the action. */
      values: { field: string; value: JsonValue }[];
    }
  | {
      kind: 'throttle' /** Let through together. */;
      perSlot: number /** From one to the next. */;
      slotMs: number;
    };

/** What it puts out depends on what is stored: what other deliveries came to before, the record that is written. */
export interface Claimed {
  claim: Claim;
  granted: Output[];
  refused: Output[];
}

/** What one run of an agent came to. It takes effect all at once, or not at all. */
export type AgentResult = Emitted | EmittedText | Asleep | Gathered | Called | Claimed;

/** Sends requests. Options may hold references to secrets: only what `build` gets has the secrets themselves. */
export interface RequestSender {
  /**
   * Never throws for what the network or the other side does.
   * @throws what `build` throws; PermanentJobError for a credential that may not be sent there.
   */
  send<Options>(options: Options, build: (opened: Options) => HttpRequest): Promise<Exchange>;
}

/** A request's body and its `content-type`. */
export interface RequestBody {
  body: Buffer;
  contentType: string;
}

/** What came of a request. */
export interface Exchange {
  answer: HttpAnswer | NoAnswer;
  /** Where the request went first. */
  host: string;
}

/** Hands mails over, in the same way. */
export interface MailSender {
  /** Gives what was built, and the addresses that were refused. @throws as `Mailer.send` and `RequestSender.send`. */
  send<Options, Built extends { mail: Mail }>(
    options: Options,
    build: (opened: Options) => Built,
    signal: AbortSignal,
  ): Promise<{ built: Built; refused: RefusedRecipient[] }>;
}

/** All that an agent may reach: agents know no database, no queue and no request. */
export interface AgentContext {
  agent: { id: number; guid: string; name: string; type: string };
  story: { id: number; tenantId: number; name: string; schemaVersion: number };
  storyRunGuid: string;
  /** The receiver's whole input: one key for each upstream action (spec §5.1). */
  event: JsonObject;
  /** The sleep that an earlier run of this delivery asked for is over. */
  resumed: boolean;
  /** Tries of this delivery before this one. */
  attempt: number;
  /** Tries it gets in all; this one is the last when `attempt + 1 >= maxAttempts`. */
  maxAttempts: number;
  /** The same for every try of this delivery, another for a retry by hand (promise 2). */
  idempotencyKey: string;
  http: RequestSender;
  mailer: MailSender;
  newGuid: () => string;
  /**
   * The event of a large answer as JSON text, read in a thread. Absent where the value itself is needed, or nobody else waits.
   */
  writeAnswer?: ((answer: Pick<HttpAnswer, 'status' | 'headers' | 'body'>) => Promise<string>) | undefined;
  /** The same where the value is needed; undefined: to be read here. */
  readAnswer?: ((answer: Pick<HttpAnswer, 'status' | 'headers' | 'body'>) => Promise<JsonObject>) | undefined;
  /** The body of the request, where a thread wrote it (`AgentDefinition.writeBody`). */
  body?: RequestBody | undefined;
  /** Ends when the delivery's deadline passes or the process stops. Made when it is first asked for. */
  signal: () => AbortSignal;
  /** Adds a line to the action's log; it is stored together with the result. */
  log: (level: LogLevel, message: string) => void;
}

/**
 * An agent type. The engine renders the options' templates, validates them with `options`
 * (numbers and booleans may be given as text), and calls `run`.
 */
export interface AgentDefinition<Options> {
  /** As in exports: `Agents::TriggerAgent`. */
  type: string;
  /** The queue its deliveries wait on; undefined for a root, which nothing is delivered to. */
  queue: DeliveryQueue | undefined;
  options: Joi.Schema<Options>;
  /**
   * Option paths (`path`, `rules.*.path`, `*` stands for any key or index) where a template that is the
   * whole text gives the value itself instead of text (spec §8.2).
   */
  valueOptions?: string[];
  /** Option paths that are not rendered beforehand. */
  rawOptions?: string[];
  /** It waits for nothing and reaches nobody: what it gives depends on its options and the event alone. */
  computes?: true;
  /** Whether it runs once for each page, when its option `pagination` says so. */
  paginates?: true;
  /** Whether it reads `context.event` besides what its templates name; `options` are not rendered yet. */
  readsWholeEvent?(options: JsonObject): boolean;
  /**
   * The body of the request that these rendered options ask for: where they were rendered in a thread, it is written there too, for
   * `context.body`, and `payload` is left out. Undefined for none, and where the payload holds references to secrets.
   * @throws PermanentJobError as `run`.
   */
  writeBody?(rendered: JsonObject, idempotencyKey: string): RequestBody | undefined;
  /**
   * Writes nothing; returns what is to be stored.
   * @throws AgentError to be tried again later, PermanentJobError to be set aside.
   */
  run(options: Options, context: AgentContext): Promise<AgentResult> | AgentResult;
}

/** Keeps the option type of an agent definition while checking its shape. */
export function defineAgent<Options>(definition: AgentDefinition<Options>): AgentDefinition<Options> {
  return definition;
}
