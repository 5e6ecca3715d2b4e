import type { DeliveryRow, DeliveryUpdate, NewDelivery } from '../../engine/face.js';

/** The clock of a trial: it stands still while there is work, and jumps to the next due time. */
export interface TrialClock {
  /** Returns ms since 1970. */
  nowMs(): number;
}

/** The deliveries of a trial, in memory instead of the table. */
export function createTrialDeliveries(clock: TrialClock) {
  const rows = new Map<number, DeliveryRow>();
  /** In the order of their execution. */
  const pending = new Set<number>();
  /** Wake times of sleeping deliveries. */
  const dueAt = new Map<number, number>();
  const openInRun = new Map<string, number>();
  let lastId = 0;

  const count = ({ storyRunGuid }: NewDelivery, change: 1 | -1): void => {
    openInRun.set(storyRunGuid, (openInRun.get(storyRunGuid) ?? 0) + change);
  };

  const insert = (delivery: NewDelivery): number => {
    const id = ++lastId;
    rows.set(id, { ...newRow(id, delivery), createdAt: new Date(clock.nowMs()) });
    pending.add(id);
    count(delivery, 1);
    return id;
  };

  return {
    insert: (deliveries: NewDelivery[]): number[] => deliveries.map(insert),

    /** Updates a delivery whose work was not done; see state/delivery-store.ts. */
    update(change: DeliveryUpdate): void {
      const row = rows.get(change.id);
      if (row === undefined) return;
      const dueAtMs = change.dueAt === undefined ? clock.nowMs() + change.delayMs : timeOf(change.dueAt);
      rows.set(row.id, updatedRow(row, change, dueAtMs));
      if (change.state === 'waiting') dueAt.set(row.id, dueAtMs);
      if (change.state === 'failed') count(row, -1);
    },

    /** Returns the delivery as the database would now. */
    find(id: number): DeliveryRow | undefined {
      const row = rows.get(id);
      if (row === undefined) return undefined;
      return { ...row, resumed: row.resumeAt !== null && timeOf(row.resumeAt) <= clock.nowMs() };
    },

    /** Consumes tokens. */
    delete(ids: number[]): void {
      for (const id of ids) {
        const row = rows.get(id);
        if (row === undefined) continue;
        rows.delete(id);
        count(row, -1);
      }
    },

    /** Takes the next ready delivery; undefined if there is none. */
    takeReady(): DeliveryRow | undefined {
      const [id] = pending;
      if (id === undefined) return undefined;
      pending.delete(id);
      return rows.get(id);
    },

    /** Returns the first wake time; undefined if no delivery sleeps. */
    firstDueMs(): number | undefined {
      let first: number | undefined;
      for (const dueAtMs of dueAt.values()) if (first === undefined || dueAtMs < first) first = dueAtMs;
      return first;
    },

    /** Wakes due deliveries, in the order of their times. */
    wake(): void {
      const due = [...dueAt].filter(([, dueAtMs]) => dueAtMs <= clock.nowMs());
      for (const [id] of due.toSorted(([a, aDue], [b, bDue]) => aDue - bDue || a - b)) {
        const row = rows.get(id);
        if (row !== undefined) rows.set(id, { ...row, state: 'pending' });
        dueAt.delete(id);
        pending.add(id);
      }
    },

    /** Removes the wake time: time alone will not wake this delivery. */
    hold(id: number): void {
      dueAt.delete(id);
    },

    /** Returns the number of the run's open deliveries. */
    openIn: (storyRunGuid: string): number => openInRun.get(storyRunGuid) ?? 0,

    /** Returns all open deliveries, in any state but `failed`. */
    open: (): DeliveryRow[] => [...rows.values()].filter(({ state }) => state !== 'failed'),
  };
}

function newRow(id: number, delivery: NewDelivery): Omit<DeliveryRow, 'createdAt'> {
  return {
    ...delivery,
    id,
    state: 'pending',
    generation: 0,
    attempts: 0,
    retries: 0,
    resumeAt: null,
    mailProgress: null,
    resumed: false,
    cancelled: false,
    dueSoon: true,
  };
}

function updatedRow(row: DeliveryRow, change: DeliveryUpdate, dueAtMs: number): DeliveryRow {
  return {
    ...row,
    state: change.state,
    generation: row.generation + 1,
    attempts: row.attempts + change.attempt,
    mailProgress: change.mailProgress ?? row.mailProgress,
    resumeAt:
      change.resumes === true
        ? new Date(dueAtMs).toISOString().replace('T', ' ').replace('Z', '')
        : row.resumeAt,
  };
}

/** Returns the ms since 1970 of a UTC time as the database writes it. */
function timeOf(text: string): number {
  return Date.parse(`${text.replace(' ', 'T')}Z`);
}
