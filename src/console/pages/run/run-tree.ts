import type { AttemptSummary, RunDetails, RunEvent } from '../../../../clients/typescript/api.js';

/** An event that an action has still to handle. */
export type OpenDelivery = RunDetails['open_deliveries'][number];
/** An event that an action failed to handle for good. */
export type DeadDelivery = RunDetails['dead_letters'][number];

/** A step of a run: an action emitted an event, failed for good, or has still to work. */
export interface Step {
  /** `event-813`, `open-5`, `dead-7`: it stands in the address. */
  key: string;
  actionId: number;
  actionName: string | null;
  /** The event that the action received; undefined for the first action of a run. */
  inputId: number | undefined;
  event?: RunEvent;
  open?: OpenDelivery;
  dead?: DeadDelivery;
  /** Its failed attempts that are known, oldest first. */
  attempts: readonly AttemptSummary[];
  /** When the action could begin, when it began its last work, and when it was done; in milliseconds. */
  from: number;
  began: number;
  to: number;
}

/** The parts of a run, as far as they are loaded. */
export interface RunParts {
  events: readonly RunEvent[];
  open: readonly OpenDelivery[];
  dead: readonly DeadDelivery[];
  attempts: readonly AttemptSummary[];
}

/** Returns the steps of a run; `now` in milliseconds is the end of those that go on. */
export function stepsOf({ events, open, dead, attempts }: RunParts, now: number): Step[] {
  const ofDelivery = grouped(attempts, ({ delivery_id: id }) => id);
  const ofWork = grouped(attempts, ({ agent_id: action, event_id: event }) => `${action} ${event}`);
  const emitted = new Map(events.map(({ id, emitted_at: at }) => [id, Date.parse(at)]));
  const due = (inputId: number | undefined, at: number) => emitted.get(inputId ?? 0) ?? at;
  return [
    ...events.map((event): Step => {
      const to = Date.parse(event.emitted_at);
      const inputId = event.previous_events_ids.at(-1);
      const named = { actionId: event.action_id, actionName: event.action_name, inputId };
      const from = due(inputId, to);
      // The worker's clock measures the work, the database's the times.
      const began = event.work_ms === null ? from : Math.max(from, to - event.work_ms);
      const own = ofWork.get(`${event.action_id} ${inputId ?? null}`) ?? [];
      return { key: `event-${event.id}`, ...named, event, attempts: own, from, began, to };
    }),
    ...dead.map((delivery): Step => {
      const from = due(delivery.event_id ?? undefined, Date.parse(delivery.created_at));
      const own = ofDelivery.get(delivery.id) ?? [];
      // The time of the last attempt has milliseconds.
      const to = Math.max(
        ...[delivery.failed_at ?? delivery.created_at, ...own.map(({ failed_at: at }) => at)].map((at) =>
          Date.parse(at),
        ),
      );
      return {
        key: `dead-${delivery.id}`,
        ...namesOf(delivery),
        dead: delivery,
        attempts: own,
        from,
        began: from,
        to: Math.max(from, to),
      };
    }),
    ...open.map((delivery): Step => {
      const from = due(delivery.event_id ?? undefined, Date.parse(delivery.created_at));
      return {
        key: `open-${delivery.id}`,
        ...namesOf(delivery),
        open: delivery,
        attempts: ofDelivery.get(delivery.id) ?? [],
        from,
        began: from,
        to: Math.max(from, now),
      };
    }),
  ];
}

/** Whether a step went on although its log has an error: it answered 502, say, and was not told to fail for that. */
export function isWarned({ dead, open, attempts }: Step): boolean {
  return dead === undefined && open === undefined && attempts.some(({ outcome }) => outcome === 'continued');
}

/** Returns the first and the last moment of steps, at least a millisecond apart. */
export function spanOf(steps: readonly Step[]): { from: number; to: number } {
  let from = Number.POSITIVE_INFINITY;
  let to = 0;
  for (const step of steps) {
    from = Math.min(from, step.from);
    to = Math.max(to, step.to);
  }
  return { from, to: Math.max(to, from + 1) };
}

/** Returns items by a key, each group in the order of the items. */
export function grouped<Item, Key>(items: readonly Item[], keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}

function namesOf({
  agent_id: actionId,
  agent_name: actionName,
  event_id: event,
}: OpenDelivery | DeadDelivery) {
  return { actionId, actionName, inputId: event ?? undefined };
}
