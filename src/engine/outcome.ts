import type { LogLevel } from '../agents/agent.js';
import type { DeliveryRow } from '../events/delivery-store.js';
import type { Receiver } from './receivers.js';

/** A line for the action's log. */
export interface LogEntry {
  level: LogLevel;
  message: string;
}

/** An event ready to be stored, with those who get it. */
export interface StoredOutput {
  /** JSON text. */
  payload: string;
  receivers: Receiver[];
}

/** The agent did its work: the token is consumed and the outputs are stored, or neither. */
export interface DoneOutcome {
  kind: 'done';
  delivery: DeliveryRow;
  /** JSON text, the same for all outputs of one delivery. */
  lineage: string;
  outputs: StoredOutput[];
  /** Whether the agent's event answers a response-enabled webhook. */
  isResponse: boolean;
  logs: LogEntry[];
}

/** The work was not done. */
export interface UndoneOutcome {
  /** `retry`: after a delay, this counted as an attempt. `rest`: story or agent is disabled. `failed`: dead letter. */
  kind: 'retry' | 'rest' | 'failed';
  delivery: DeliveryRow;
  delayMs: number;
  error: string | null;
  logs: LogEntry[];
}

export type Outcome = DoneOutcome | UndoneOutcome;

/** What became of an outcome. */
export interface Committed {
  /** False: somebody was faster, and this outcome was dropped. */
  applied: boolean;
  eventIds: number[];
  /** Set when it could not be stored and became a dead letter instead: why. */
  error?: string;
}
