import type { RunSource } from '../engine/state/run-store.js';

/** How a run stands, derived from its deliveries; `cancelled` wins. */
export const RUN_STATUSES = ['running', 'completed', 'failed', 'cancelled'] as const;
export type RunStatus = (typeof RUN_STATUSES)[number];

export const RUN_SOURCES = ['webhook', 'api', 'schedule', 'send_to_story'] as const satisfies RunSource[];

/** A run in a list. */
export interface RunView {
  id: number;
  guid: string;
  storyId: number;
  source: RunSource;
  status: RunStatus;
  createdAt: Date;
  /** Null while it runs, and where nothing is left that could tell. */
  endedAt: Date | null;
  cancelledAt: Date | null;
  /** Events of actions; the run's input is none. */
  eventCount: number;
}

/** A delivery that has not been done: open, or a dead letter. */
export interface DeliveryView {
  id: number;
  agentId: number;
  /** Null: the action has been deleted. */
  agentName: string | null;
  /** Null where the action begins the run. */
  eventId: number | null;
  state: 'pending' | 'waiting' | 'parked' | 'failed';
  attempts: number;
  /** What the last attempt came to. */
  error: string | null;
  dueAt: Date;
  failedAt: Date | null;
  createdAt: Date;
}
