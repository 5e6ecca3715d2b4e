import type { RunDetails, RunEvent } from '../../../../clients/typescript/api.js';

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
  /** When the action could begin, when it began its last work, and when it was done; in milliseconds. */
  from: number;
  began: number;
  to: number;
}

/** A step in its place below the one that led to it. */
export interface TreeRow {
  step: Step;
  depth: number;
  /** Steps below it, at any depth; 0 for none. */
  below: number;
  isFolded: boolean;
}

/** The parts of a run, as far as they are loaded. */
export interface RunParts {
  events: readonly RunEvent[];
  open: readonly OpenDelivery[];
  dead: readonly DeadDelivery[];
}

/** Returns the steps of a run; `now` in milliseconds is the end of those that go on. */
export function stepsOf({ events, open, dead }: RunParts, now: number): Step[] {
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
      return { key: `event-${event.id}`, ...named, event, from, began, to };
    }),
    ...dead.map((delivery): Step => {
      const from = due(delivery.event_id ?? undefined, Date.parse(delivery.created_at));
      const to = Date.parse(delivery.failed_at ?? delivery.created_at);
      return {
        key: `dead-${delivery.id}`,
        ...namesOf(delivery),
        dead: delivery,
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
        from,
        began: from,
        to: Math.max(from, now),
      };
    }),
  ];
}

/** Returns steps as a tree from the top: each below the event that its action received. */
export function treeRows(steps: readonly Step[], folded: ReadonlySet<string>): TreeRow[] {
  const children = childrenOf(steps);
  const below = countsBelow(steps, children);
  const rows: TreeRow[] = [];
  const stack = (children.get(undefined) ?? []).toReversed().map((step) => ({ step, depth: 0 }));
  // A stack, not a recursion: actions in a row may be 20,000.
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const { step, depth } = next;
    const isFolded = folded.has(step.key);
    rows.push({ step, depth, below: below.get(step.key) ?? 0, isFolded });
    const inside = isFolded ? [] : childrenIn(children, step);
    for (let at = inside.length - 1; at >= 0; at -= 1) {
      stack.push({ step: inside[at] as Step, depth: depth + 1 });
    }
  }
  return rows;
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

type Children = ReadonlyMap<number | undefined, Step[]>;

function childrenOf(steps: readonly Step[]): Children {
  const known = new Set(steps.flatMap(({ event }) => event?.id ?? []));
  const children = new Map<number | undefined, Step[]>();
  for (const step of steps) {
    const parent = step.inputId !== undefined && known.has(step.inputId) ? step.inputId : undefined;
    const siblings = children.get(parent);
    if (siblings === undefined) children.set(parent, [step]);
    else siblings.push(step);
  }
  return children;
}

const childrenIn = (children: Children, { event }: Step) =>
  event === undefined ? [] : (children.get(event.id) ?? []);

/** An event comes after the one that led to it, so the sums are made from the last event on. */
function countsBelow(steps: readonly Step[], children: Children): Map<string, number> {
  const counts = new Map<string, number>();
  const latestFirst = steps.filter(({ event }) => event !== undefined).toSorted((a, b) => idOf(b) - idOf(a));
  for (const step of latestFirst) {
    const inside = childrenIn(children, step);
    counts.set(
      step.key,
      inside.reduce((sum, { key }) => sum + 1 + (counts.get(key) ?? 0), 0),
    );
  }
  return counts;
}

const idOf = ({ event }: Step) => event?.id ?? 0;

function namesOf({
  agent_id: actionId,
  agent_name: actionName,
  event_id: event,
}: OpenDelivery | DeadDelivery) {
  return { actionId, actionName, inputId: event ?? undefined };
}
