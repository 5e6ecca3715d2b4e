import type { Claim, LogLevel } from '../../agents/agent.js';
import type { DeliveryQueue } from '../../agents/delivery-queues.js';
import type { StoryCall } from './call-store.js';
import type { DeliveryRow } from './delivery-store.js';
import type { ImplodeItem } from './implode-store.js';
import type { NewPrompt } from './prompt-store.js';
import { RESTING } from './story-deliveries-store.js';
import type { NewStart } from './start-store.js';

/** How long a delivery of a disabled story or agent rests before it is looked at again. */
const REST_MS = 30_000;

/** A line for the action's log. */
export interface LogEntry {
  level: LogLevel;
  message: string;
}

/** Whose event it is, and what its deliveries inherit. */
export interface Origin {
  storyRunGuid: string;
  storyId: number;
  agentId: number;
  /** JSON text. */
  lineage: string;
  awaited: boolean;
  called: boolean;
  /** Of its deliveries. */
  depth: number;
}

/** Who gets an event. */
export interface Receiver {
  agentId: number;
  queue: DeliveryQueue;
}

/** An event ready to be stored, with those who get it. */
export interface StoredOutput {
  /** JSON text. */
  payload: string;
  receivers: Receiver[];
  origin: Origin;
  /** Whether it answers a response-enabled webhook. */
  answers: boolean;
}

/** Events that are stored together. */
export interface Emission {
  outputs: StoredOutput[];
}

/** The agent did its work: the token is consumed and the outputs are stored, or neither. */
export interface DoneOutcome extends Emission {
  kind: 'done';
  delivery: DeliveryRow;
  /** Tokens that are consumed with it: a whole group becomes one event (implode). */
  alsoConsumes?: number[];
  /** Links in what the agent sent, that give the first of its outputs once more. */
  prompts?: Pick<NewPrompt, 'id' | 'status' | 'expiresInSeconds'>[];
  logs: LogEntry[];
}

/** The work was not done. */
export interface UndoneOutcome {
  /**
   * `retry`: after a delay, this counted as an attempt. `rest`: story or agent is disabled. `sleep`: the action
   * asked to go on later. `failed`: dead letter.
   */
  kind: 'retry' | 'rest' | 'sleep' | 'failed';
  delivery: DeliveryRow;
  delayMs: number;
  /** Instead of `delayMs`: as the database writes times. */
  dueAt?: string;
  error: string | null;
  logs: LogEntry[];
}

/** Something else will end the delivery: the rest of its group, or the run that it called. */
export interface ParkedOutcome {
  kind: 'parked';
  delivery: DeliveryRow;
  /** For the group it belongs to. */
  item?: Omit<ImplodeItem, 'deliveryId'>;
  /** The run it calls. */
  call?: { start: NewStart; call: StoryCall };
  logs: LogEntry[];
}

/** What becomes of it is decided inside the transaction, on locked state (rule 10). */
export interface ClaimOutcome {
  kind: 'claim';
  delivery: DeliveryRow;
  claim: Claim;
  story: { id: number; name: string; tenantId: number; teamId: number };
  granted: DoneOutcome;
  refused: DoneOutcome;
  logs: LogEntry[];
}

export type SettledOutcome = DoneOutcome | UndoneOutcome | ParkedOutcome;
export type Outcome = SettledOutcome | ClaimOutcome;

/** What became of an outcome. */
export interface Committed {
  /** False: somebody was faster, and this outcome was dropped. */
  applied: boolean;
  eventIds: number[];
  /** Set when it could not be stored and became a dead letter instead: why. */
  error?: string;
}

/** The delivery cannot be done, and never will. */
export function deadLetter(delivery: DeliveryRow, error: string): UndoneOutcome {
  return { kind: 'failed', delivery, delayMs: 0, error, logs: [{ level: 'error', message: error }] };
}

/**
 * Story or agent is disabled: the delivery waits until that changes (spec §3.7). What it says tells it from
 * one that waits for a retry: enabling wakes it at once.
 */
export function rest(delivery: DeliveryRow): UndoneOutcome {
  return { kind: 'rest', delivery, delayMs: REST_MS, error: RESTING, logs: [] };
}

/** It came before its time, woken with its story: it goes back to sleep (rule 9). */
export function sleepOn(delivery: DeliveryRow, until: string): UndoneOutcome {
  return { kind: 'sleep', delivery, delayMs: 0, dueAt: until, error: null, logs: [] };
}

/** The token is consumed, and nothing comes of it: the run was cancelled, or the call is over. */
export function nothingMore(delivery: DeliveryRow): DoneOutcome {
  return { kind: 'done', delivery, outputs: [], logs: [] };
}
