import type { QueueHealths, WaitReason } from '../../../engine/face.js';
import { type ActionWork, MOST_ACTIONS, sumOfWork, type WorkCount } from '../queues/queue-work-store.js';
import { waitReasonOf, untilOf } from '../queues/work-reason.js';
import type { Severity } from '../reasons/reason.js';
import { withNoun, entryOf, type HeldAction, type InboxEntry } from './inbox-entry.js';

/** How the waiting work of one reason is told. */
interface HeldKind {
  severity: Severity;
  /** What one entry is about: all work of the team, that of a queue, or that of an action. */
  per: 'team' | 'queue' | 'action';
  /** Follows on `3 deliveries wait: `. */
  why: string;
  /** It is told if the oldest has waited so long, or the first goes on so late; absent: always. */
  afterMs?: { waited: number; ahead: number };
}

const MINUTE_MS = 60_000;
const LATE = { waited: 10 * MINUTE_MS, ahead: 5 * MINUTE_MS };
const HOUR = { waited: 60 * MINUTE_MS, ahead: 60 * MINUTE_MS };

/** Reasons that people can do something about. What waits for a set time, a group or a called story waits as it should. */
const KINDS: Partial<Record<WaitReason, HeldKind>> = {
  mails_per_day: { severity: 'error', per: 'team', why: 'the mail quota is used up' },
  records: { severity: 'error', per: 'team', why: 'the record quota is used up' },
  no_process: { severity: 'error', per: 'queue', why: 'no process serves the queue' },
  paused: { severity: 'warning', per: 'queue', why: 'the queue is paused' },
  credential: { severity: 'warning', per: 'action', why: 'a credential must be connected' },
  rate_limit: { severity: 'warning', per: 'action', why: 'the server limits the requests', afterMs: LATE },
  retry: { severity: 'warning', per: 'action', why: 'failed attempts will be retried', afterMs: LATE },
  fair_share: { severity: 'warning', per: 'team', why: 'its story already has its fair share of jobs' },
  throttle: { severity: 'note', per: 'action', why: 'the action is throttled', afterMs: HOUR },
  disabled: { severity: 'note', per: 'action', why: 'the action or its story is disabled' },
  frozen: { severity: 'note', per: 'team', why: 'the tenant is being moved' },
};

/** The work of one entry. */
interface Held {
  key: string;
  reason: WaitReason;
  kind: HeldKind;
  teamId: number;
  queue: string;
  count: number;
  oldestMs: number;
  untilMs: number | null;
  actions: (ActionWork & { queue: string })[];
}

/** Returns the names of these actions and of their stories, by the id of the action. */
export type FindNames = (agentIds: readonly number[]) => Promise<ReadonlyMap<number, ActionNames>>;

export interface ActionNames {
  action: string;
  story: string;
}

/**
 * Returns an entry for each reason for which work of the teams waits, and that people can do something about. `isComplete`:
 * no action is missing that has an entry of its own, and it is known of each queue whether it is paused and served.
 */
export async function heldEntries(
  work: readonly WorkCount[],
  { states, nowMs, findNames }: { states: QueueHealths | undefined; nowMs: number; findNames: FindNames },
): Promise<{ entries: InboxEntry[]; isComplete: boolean }> {
  const held = sumHeld(work, states).filter((each) => isTold(each, nowMs));
  const ids = held.flatMap(({ actions }) => actions.map(({ agentId }) => agentId));
  const names = await findNames([...new Set(ids)]);
  return {
    entries: held.map((each) => toEntry(each, names)),
    isComplete: !work.some((each) => isMissing(each, states)),
  };
}

/** Redis may not tell the states of queues. */
function isMissing(work: WorkCount, states: QueueHealths | undefined): boolean {
  if (states === undefined && work.reason === 'queued') return true;
  return work.isCut && kindOf(work, states)?.kind.per === 'action';
}

function kindOf(
  work: WorkCount,
  states: QueueHealths | undefined,
): Pick<Held, 'reason' | 'kind'> | undefined {
  const reason = waitReasonOf(work, stateOf(work.queue, states));
  const kind = reason === null ? undefined : KINDS[reason];
  return reason === null || kind === undefined ? undefined : { reason, kind };
}

function sumHeld(work: readonly WorkCount[], states: QueueHealths | undefined): Held[] {
  const sums = new Map<string, Held>();
  for (const each of work) {
    const told = kindOf(each, states);
    if (told === undefined) continue;
    for (const part of partsOf(each, told)) {
      const before = sums.get(part.key);
      sums.set(part.key, before === undefined ? part : together(before, part));
    }
  }
  return [...sums.values()];
}

function stateOf(queue: string, states: QueueHealths | undefined) {
  for (const [name, state] of states ?? []) if (name === queue) return state;
  return null;
}

function partsOf(work: WorkCount, { reason, kind }: Pick<Held, 'reason' | 'kind'>): Held[] {
  const { teamId, queue } = work;
  const actions = work.actions.map((action) => ({ ...action, queue }));
  const part = (
    key: string,
    of: Pick<WorkCount, 'count' | 'oldestMs' | 'dueMs'>,
    named: Held['actions'],
  ) => ({
    key: `held-${reason}-${key}`,
    reason,
    kind,
    teamId,
    queue,
    count: of.count,
    oldestMs: of.oldestMs,
    untilMs: untilOf({ kind: work.kind, dueMs: of.dueMs }),
    actions: named,
  });
  if (kind.per === 'team') return [part(`${teamId}`, work, actions)];
  if (kind.per === 'queue') return [part(`${teamId}-${queue}`, work, actions)];
  return actions.map((action) => part(`${teamId}-${action.agentId}`, action, [action]));
}

function together(one: Held, other: Held): Held {
  const { count, oldestMs } = sumOfWork({ ...one, dueMs: 0 }, { ...other, dueMs: 0 });
  const times = [one.untilMs, other.untilMs].filter((time) => time !== null);
  const untilMs = times.length === 0 ? null : Math.min(...times);
  const actions = [...one.actions, ...other.actions].toSorted((a, b) => b.count - a.count);
  return { ...one, count, oldestMs, untilMs, actions };
}

function isTold({ kind, oldestMs, untilMs }: Held, nowMs: number): boolean {
  const { afterMs } = kind;
  if (afterMs === undefined) return true;
  return nowMs - oldestMs >= afterMs.waited || (untilMs ?? 0) - nowMs >= afterMs.ahead;
}

function toEntry(held: Held, names: ReadonlyMap<number, ActionNames>): InboxEntry {
  const { reason, kind, teamId, count, oldestMs, untilMs } = held;
  const actions = held.actions.map((action) => toHeldAction(action, names));
  const [first] = actions;
  const isOfOne = new Set(actions.map(({ action }) => action.id)).size === 1;
  const isOfStory = new Set(actions.map(({ story }) => story.id)).size === 1;
  return entryOf({
    key: held.key,
    kind: 'held',
    reason,
    severity: kind.severity,
    title: `${withNoun(count, 'delivery waits', 'deliveries wait')}: ${kind.why}`,
    teamId,
    story: isOfStory && first !== undefined ? first.story : null,
    action: isOfOne && first !== undefined ? first.action : null,
    queue: kind.per === 'queue' ? held.queue : null,
    quota: reason === 'mails_per_day' || reason === 'records' ? reason : null,
    count,
    firstSeen: new Date(oldestMs),
    until: untilMs === null ? null : new Date(untilMs),
    held: actions.slice(0, MOST_ACTIONS),
  });
}

function toHeldAction(
  { storyId, agentId, queue, count, oldestMs }: Held['actions'][number],
  names: ReadonlyMap<number, ActionNames>,
): HeldAction {
  const found = names.get(agentId);
  return {
    story: { id: storyId, name: found?.story ?? null },
    action: { id: agentId, name: found?.action ?? null },
    queue,
    count,
    oldestAt: new Date(oldestMs),
  };
}
