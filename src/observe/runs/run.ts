import type { RunSource } from '../../api/face.js';
import type { DeliveryQueue } from '../../agents/face.js';
import type { DeliveryState, WaitReason } from '../../engine/face.js';

/** The status of a run, derived from its deliveries; `cancelled` takes precedence. */
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
  /** Null while it runs, and if no event or delivery is left to derive it from. */
  endedAt: Date | null;
  cancelledAt: Date | null;
  /** Events of actions, without the run's input. */
  eventCount: number;
  /** Actions that emitted them. */
  actionCount: number;
  /** The oldest event that is left, the input included; null: none is. */
  firstEventId: number | null;
  /** Why its first dead letter failed; null: it has none. */
  cause: string | null;
  /** Steps that logged errors and did not fail. */
  warnings: number;
  /** The draft whose run it is; null: the run of a live story. */
  draft: { id: number; name: string } | null;
}

/** A delivery that is open or a dead letter. */
export interface DeliveryView {
  id: number;
  agentId: number;
  /** Null: the action has been deleted. */
  agentName: string | null;
  /** Null if the action is the first of the run. */
  eventId: number | null;
  state: DeliveryState;
  attempts: number;
  /** The error of the last attempt. */
  error: string | null;
  /** Why it failed, if the response tells more than the error. */
  cause: string | null;
  dueAt: Date;
  failedAt: Date | null;
  createdAt: Date;
}

/** A delivery that is open. */
export interface OpenDeliveryView extends DeliveryView {
  /** The queue of its jobs. */
  queue: DeliveryQueue;
  /** The number of its job. */
  generation: number;
  /** Why it does not run now. */
  reason: WaitReason;
}
