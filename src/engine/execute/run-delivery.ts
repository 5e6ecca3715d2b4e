import { isTransient } from '../../platform/mysql/db-errors.js';
import type { DeliveryRow } from '../state/delivery-store.js';
import type { DeliveryJob } from '../state/delivery-job.js';
import { START_QUEUE } from '../../agents/delivery-queues.js';
import { findAction } from '../../stories/find-action.js';
import type { AgentNode, StoryGraph } from '../../stories/story-graph.js';
import { callAgent } from './call-agent.js';
import type { Call, CallDeps, Work } from './call.js';
import { toOutcome, undone } from './to-outcome.js';
import { deadLetter, nothingMore, rest, sleepOn } from '../state/outcome.js';
import type { Committed, Outcome } from '../state/outcome.js';
import type { OutcomeWriter } from '../commit/outcome-writer.js';
import type { OpenedSecrets } from '../secrets/opened-secrets.js';
import type { Stop } from './cancellation.js';
import { NoSlot, type SlotShare, type StoryConcurrency } from './story-concurrency.js';
import { NoLongerWanted, type WorkUnderWay } from './work-under-way.js';

/** Event ids that a job's summary names at most. */
const MAX_NAMED_EVENTS = 20;
/** What an action takes that only computes. */
const QUICK_MS = 20;

export interface EngineDeps extends CallDeps {
  outcomes: Pick<OutcomeWriter, 'submit'>;
  /** Tells work to stop that nobody wants any more; absent where nothing changes meanwhile. */
  underWay?: Pick<WorkUnderWay, 'enter'>;
}

/** What a job says about itself when it is over; Bull Board shows it. */
export interface DeliverySummary {
  outcome: Exclude<Outcome['kind'], 'claim'> | 'gone';
  storyRunGuid?: string;
  agent?: string;
  eventIds?: number[];
  error?: string;
}

/** Why a job is cancelled whose lock is lost: what it comes to is for another to say. */
export class JobTaken extends Error {
  constructor() {
    super('The job was given to another worker');
    this.name = 'JobTaken';
  }
}

/**
 * Runs one agent on one event: load, render, run, store. Runs at least once, takes effect once.
 * @throws NoSlot when its story has all the slots it may have.
 */
export type RunDelivery = (
  job: DeliveryJob,
  stop: Stop,
  slots?: StoryConcurrency,
) => Promise<DeliverySummary>;

export function createRunDelivery(deps: EngineDeps): RunDelivery {
  return async (job, stop, slots) => {
    const delivery = isDeliveryJob(job) ? await deps.loader.delivery(job.deliveryId) : undefined;
    if (delivery === undefined || delivery.generation !== job.generation || delivery.state !== 'pending') {
      return { outcome: 'gone' };
    }
    const found = await findWork(delivery, deps, slots);
    if ('kind' in found) return summary(found, await deps.outcomes.submit(found), undefined);
    return inSlot(slots, shareOf(found.story), async (leave) => {
      const began = performance.now();
      const outcome = await workOn(found, { deps, stop });
      if (outcome === undefined) return { outcome: 'gone' };
      if (performance.now() - began >= QUICK_MS) leave();
      return summary(outcome, await deps.outcomes.submit(outcome), found.agent);
    });
  };
}

/** A job can be added by hand, with anything in it; it must not break the look-up that others share. */
export function isDeliveryJob(job: unknown): job is DeliveryJob {
  return (
    typeof job === 'object' && job !== null && 'deliveryId' in job && Number.isSafeInteger(job.deliveryId)
  );
}

function summary(outcome: Outcome, committed: Committed, agent: AgentNode | undefined): DeliverySummary {
  if (!committed.applied) return { outcome: 'gone' };
  if (committed.error !== undefined) return { outcome: 'failed', error: committed.error };
  const emits = outcome.kind === 'done' || outcome.kind === 'claim';
  return {
    outcome: outcome.kind === 'claim' ? 'done' : outcome.kind,
    storyRunGuid: outcome.delivery.storyRunGuid,
    ...(agent === undefined ? {} : { agent: agent.name }),
    ...(emits ? { eventIds: committed.eventIds.slice(0, MAX_NAMED_EVENTS) } : {}),
    ...('error' in outcome && outcome.error !== null ? { error: outcome.error } : {}),
  };
}

/**
 * Quick actions keep their slot until what they came to is stored: a crowd of them is bounded in each transaction, and others
 * wait less. One that took longer has waited for somebody else: another request may go out meanwhile (rule 19).
 */
async function inSlot<T>(
  slots: StoryConcurrency | undefined,
  share: SlotShare,
  work: (leave: () => void) => Promise<T>,
): Promise<T> {
  let release = await slots?.take(share);
  const leave = () => {
    release?.();
    release = undefined;
  };
  try {
    return await work(leave);
  } finally {
    leave();
  }
}

const shareOf = ({ id, tenantId }: StoryGraph): SlotShare => ({ storyId: id, tenantId });

/**
 * Loads what the delivery is about, or says what becomes of it without. The event comes last: it may be large.
 * @throws NoSlot where it would be for nothing.
 */
async function findWork(
  delivery: DeliveryRow,
  deps: EngineDeps,
  slots?: Pick<StoryConcurrency, 'check'>,
): Promise<Work | Outcome> {
  if (delivery.cancelled) return nothingMore(delivery);
  const action = await findAction(delivery, deps.graphs);
  if (action === undefined) return deadLetter(delivery, 'The action has been deleted');
  const { story, agent } = action;
  if (story.disabled || agent.disabled) return rest(delivery);
  if (delivery.resumeAt !== null && !delivery.resumed) return sleepOn(delivery, delivery.resumeAt);
  if (delivery.depth > deps.limits.maxDepth) {
    return deadLetter(
      delivery,
      `The run went over ${deps.limits.maxDepth} actions in a row: it is taken for a runaway loop`,
    );
  }
  slots?.check(shareOf(story));
  const event = await deps.loader.event(delivery.eventId);
  if (event === undefined) return deadLetter(delivery, 'The event is no longer there');
  return { delivery, story, agent, event, isStart: delivery.queue === START_QUEUE };
}

/** Undefined: the delivery is gone, nothing comes of it. */
async function workOn(
  work: Work,
  { deps, stop }: { deps: EngineDeps; stop: Stop },
): Promise<Outcome | undefined> {
  let opened: OpenedSecrets | undefined;
  const secrets = () => (opened ??= deps.vault.forTeam(work.story.teamId));
  const call: Call = { deps, stop, logs: [], secrets, prompts: new Map() };
  const leave = deps.underWay?.enter(work.delivery, stop);
  try {
    return await toOutcome(work, await stop.heededBy(callAgent(work, call)), call);
  } catch (error) {
    if (stop.reason instanceof NoLongerWanted) return unwanted(work.delivery, deps);
    // Nothing is wrong with the action: the relay has the delivery tried again, and it counts as no attempt.
    if (isTransient(error) || error instanceof NoSlot || stop.reason instanceof JobTaken) throw error;
    return undone(work, { ...call, error });
  } finally {
    leave?.();
  }
}

/** What becomes of a delivery that nobody wanted a moment ago: the same as if it began now. */
async function unwanted({ id, generation }: DeliveryRow, deps: EngineDeps): Promise<Outcome | undefined> {
  const delivery = await deps.loader.delivery(id);
  if (delivery === undefined || delivery.generation !== generation) return undefined;
  const found = await findWork(delivery, deps);
  return 'kind' in found ? found : { ...rest(delivery), delayMs: 0 };
}
