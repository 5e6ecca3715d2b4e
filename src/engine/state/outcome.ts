import type { Claim, DeliveryQueue, AgentLogLevel, OutputBranch } from '../../agents/face.js';
import type { StoryCall } from './deliveries/call-store.js';
import type { DeliveryRow } from './deliveries/delivery-store.js';
import type { ImplodeItem } from './deliveries/implode-store.js';
import type { StoredWaitReason } from './deliveries/wait-reason.js';
import type { NewPrompt } from './deliveries/prompt-store.js';
import { RESTING } from '../../stories/face.js';
import type { NewStart } from './runs/start-store.js';

/** Pause before a delivery of a disabled story or agent is checked again. */
const REST_MS = 30_000;

/** A line for the agent's log. */
export interface AgentLogEntry {
  level: AgentLogLevel;
  message: string;
  /** The request that the failed attempt sent last, as it is kept. */
  request?: string | undefined;
  /** Its response, as it is kept. */
  response?: string | undefined;
  /** The status of its response; 0: there was none. */
  status?: number | undefined;
  /** Why it failed, if its response tells more than the message. */
  cause?: string | undefined;
  /** Present on the line about a failed attempt: its number, from 1. */
  attempt?: number;
  /** How long the attempt took, in whole ms. */
  workMs?: number;
  /** An error that the action did not fail of. */
  continued?: true;
}

/** The run, story and agent of an event, and what its deliveries inherit. */
export interface Origin {
  storyRunGuid: string;
  storyId: number;
  agentId: number;
  /** JSON text. */
  lineage: string;
  awaited: boolean;
  called: boolean;
  /** Depth of its deliveries. */
  depth: number;
}

/** An agent that receives an event. */
export interface Receiver {
  agentId: number;
  queue: DeliveryQueue;
}

/** The links that an event follows: those of its agent's output, or `failure` for the error of an agent that failed. */
export type EventBranch = OutputBranch | 'failure';

/** An event ready to be stored, with its receivers. */
export interface StoredOutput {
  /** JSON text. */
  payload: string;
  receivers: Receiver[];
  branch: EventBranch;
  origin: Origin;
  /** Whether it is the response of a response-enabled webhook. */
  answers: boolean;
  /** The request that it came of, as it is kept. */
  request?: string | undefined;
}

/** Events that are stored together. */
export interface Emission {
  outputs: StoredOutput[];
  /** How long the action worked on them, in whole ms; absent: no action ran. */
  workMs?: number;
}

/** The agent did its work: the token is consumed and the outputs are stored, or neither. */
export interface DoneOutcome extends Emission {
  kind: 'done';
  delivery: DeliveryRow;
  /** Further tokens consumed in the same transaction: a whole group becomes one event (implode). */
  alsoConsumes?: number[];
  /** Prompt links that the agent sent; a click emits the first output again. */
  prompts?: Pick<NewPrompt, 'id' | 'status' | 'expiresInSeconds'>[];
  /**
   * Set if the agent failed for good and its failure links get the error, which is the output. Unlike success it applies
   * only to the generation that failed (rule 9).
   */
  failure?: string;
  logs: AgentLogEntry[];
}

/** The work was not done. */
export interface UndoneOutcome {
  /**
   * `retry`: counts as an attempt, another follows after a delay. `rest`: story or agent is disabled. `sleep`: the
   * agent asked to continue later. `failed`: dead letter.
   */
  kind: 'retry' | 'rest' | 'sleep' | 'failed';
  delivery: DeliveryRow;
  delayMs: number;
  /** Replaces `delayMs`; as the database writes times. */
  dueAt?: string;
  /** Why it waits; absent: as before. */
  reason?: StoredWaitReason;
  error: string | null;
  /** HTTP status of the response that made it fail; 0: there was no response. */
  status?: number | undefined;
  /** Why it failed, if the response tells more than the error. */
  cause?: string | undefined;
  /** A dead letter even with failure links: they would prolong a runaway run. */
  isRunaway?: true;
  /** Replaces the stored progress of its mails. */
  mailProgress?: string | undefined;
  logs: AgentLogEntry[];
}

/** The delivery is ended later: by the rest of its group, or by the run that it called. */
export interface ParkedOutcome {
  kind: 'parked';
  delivery: DeliveryRow;
  /** Its member of the implode group. */
  item?: Omit<ImplodeItem, 'deliveryId'>;
  /** The run it calls. */
  call?: { start: NewStart; call: StoryCall };
  logs: AgentLogEntry[];
}

/** Granted or refused inside the transaction, on locked state (rule 10). */
export interface ClaimOutcome {
  kind: 'claim';
  delivery: DeliveryRow;
  claim: Claim;
  story: { id: number; name: string; tenantId: number; teamId: number; draftOf?: number | undefined };
  granted: DoneOutcome;
  refused: DoneOutcome;
  /** Returns what replaces the dead letter of a claim that cannot be settled; absent without failure links. */
  failed?: ((letter: UndoneOutcome) => DoneOutcome) | undefined;
  logs: AgentLogEntry[];
}

export type SettledOutcome = DoneOutcome | UndoneOutcome | ParkedOutcome;
export type Outcome = SettledOutcome | ClaimOutcome;

/** The result of storing an outcome. */
export interface Committed {
  /** False: another worker was faster, and this outcome was dropped. */
  applied: boolean;
  eventIds: number[];
  /** Why it failed, or could not be stored, and became a dead letter; otherwise unset. */
  error?: string;
  /** The error went down failure links instead: there is no dead letter. */
  handled?: true;
}

/** Returns the outcome of a delivery that can never succeed. */
export function deadLetter(delivery: DeliveryRow, error: string): UndoneOutcome {
  const line = { level: 'error' as const, message: error, attempt: delivery.attempts + 1 };
  return { kind: 'failed', delivery, delayMs: 0, error, logs: [line] };
}

/**
 * Returns the outcome while story or agent is disabled: the delivery waits (spec §3.7). Its error text separates it from
 * a retry, so that enabling the story wakes it at once.
 */
export function rest(delivery: DeliveryRow, reason: 'disabled' | 'frozen' = 'disabled'): UndoneOutcome {
  return { kind: 'rest', delivery, delayMs: REST_MS, reason, error: RESTING, logs: [] };
}

/** Returns the outcome of a delivery woken with its story before its sleep ended: it sleeps on (rule 9). */
export function sleepOn(delivery: DeliveryRow, until: string): UndoneOutcome {
  return { kind: 'sleep', delivery, delayMs: 0, dueAt: until, error: null, logs: [] };
}

/** Returns an outcome that consumes the token without outputs: the run was cancelled, or the called run has ended. */
export function nothingMore(delivery: DeliveryRow): DoneOutcome {
  return { kind: 'done', delivery, outputs: [], logs: [] };
}
