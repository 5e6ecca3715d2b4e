import { isTransient } from '../../platform/mysql/db-errors.js';
import { StoredMailProgress } from './call/mail-progress.js';
import type { DeliveryRow } from '../state/deliveries/delivery-store.js';
import type { DeliveryJob } from '../state/deliveries/delivery-job.js';
import { START_QUEUE } from '../../agents/face.js';
import { findActionInStory, type StoryGraph } from '../../stories/face.js';
import { callAgent } from './call/call-agent.js';
import { createFreshDelivery } from './delivery-loader.js';
import type { DeliverySummary } from './delivery-summary.js';
import type { AgentCall, CallDeps, Work } from './call/call.js';
import { toOutcome, undone } from './to-outcome.js';
import { type Committed, deadLetter, nothingMore, type Outcome, rest, sleepOn } from '../state/outcome.js';
import type { OutcomeWriter } from '../commit/outcome-writer.js';
import type { OpenedSecrets } from '../secrets/opened-secrets.js';
import type { Cancellation } from './cancellation.js';
import type { SlotShare } from './slots/slot-ledger.js';
import { NoSlot, type StoryConcurrency } from './slots/story-concurrency.js';
import type { JobWatch, WatchJob } from './job-watch.js';
import { NoLongerWanted, type WorkUnderWay } from './work-under-way.js';

/**
 * The outcome of a delivery, for counting. `none`: no event. `handled`: its failure links got the error.
 * `later`: it sleeps, rests, or waits for its group or a called run.
 */
export type ActionOutcome = 'event' | 'none' | 'retry' | 'dead' | 'handled' | 'later';

/** A delivery whose outcome is committed. */
interface CountedAction {
  /** The type of its agent; undefined if it could not be run. */
  type: string | undefined;
  storyId: number;
  outcome: ActionOutcome;
  /** Time that the agent worked; undefined if it did not run. */
  workMs: number | undefined;
}

/** Counts deliveries. */
export interface ActionMeter {
  ran(action: CountedAction): void;
}

/** Most event ids in a job's summary. */
const MAX_NAMED_EVENTS = 20;
/** An agent that takes longer counts as one that waited for another server. */
const QUICK_MS = 20;

export interface EngineDeps extends CallDeps {
  /** Optional: receives each job that ends. */
  watch?: WatchJob;
  outcomes: Pick<OutcomeWriter, 'submit'>;
  /** Cancels work that is no longer wanted; absent where stories and runs cannot change meanwhile. */
  underWay?: Pick<WorkUnderWay, 'enter'>;
  /** Counts what came of deliveries; absent: it is not counted. */
  meter?: ActionMeter | undefined;
}

/** The reason for cancelling a job whose lock is lost: another worker has the job now. */
export class JobTaken extends Error {
  constructor() {
    super('The job was given to another worker');
    this.name = 'JobTaken';
  }
}

/**
 * Runs one agent on one event: load, render, run, store. May run more than once, takes effect once.
 * @throws NoSlot if the story or its tenant has all the slots it may have.
 */
export type RunDelivery = (
  job: DeliveryJob,
  stop: Cancellation,
  slots?: StoryConcurrency,
  /** How long ago the job was added, in ms. Default: not lately. */
  ageMs?: number,
) => Promise<DeliverySummary>;

export function createRunDelivery(deps: EngineDeps): RunDelivery {
  const findFresh = createFreshDelivery(deps.loader);
  return async (job, stop, slots, ageMs) => {
    const delivery = isDeliveryJob(job) ? await findFresh(job, ageMs) : undefined;
    if (delivery === undefined || delivery.generation !== job.generation || delivery.state !== 'pending') {
      return { outcome: 'gone' };
    }
    const watched = deps.watch?.(delivery);
    try {
      const ended = await handle(delivery, { deps, stop, slots, watched });
      watched?.ended(ended);
      return ended;
    } catch (error) {
      watched?.putBack(error);
      throw error;
    }
  };
}

interface Handling {
  deps: EngineDeps;
  stop: Cancellation;
  slots: StoryConcurrency | undefined;
  watched: JobWatch | undefined;
}

/** Finds the work of a delivery, does it in a slot, and stores the outcome. */
async function handle(
  delivery: DeliveryRow,
  { deps, stop, slots, watched }: Handling,
): Promise<DeliverySummary> {
  const found = await findWork(delivery, deps, slots);
  if ('kind' in found) return store(found, deps);
  watched?.found(found);
  return inSlot(slots, shareOf(found.story), async (leave) => {
    const began = performance.now();
    const outcome = await workOn(found, { deps, stop, watched });
    if (outcome === undefined) return { outcome: 'gone' };
    watched?.storing?.();
    const workMs = performance.now() - began;
    if (workMs >= QUICK_MS) leave();
    noteWork(outcome, Math.round(workMs));
    return store(outcome, deps, { work: found, workMs });
  });
}

/** Each event that the outcome stores tells how long its action worked, and so does the line about an attempt that failed. */
function noteWork(outcome: Outcome, workMs: number): void {
  if (outcome.kind === 'done') outcome.workMs = workMs;
  if (outcome.kind === 'retry' || outcome.kind === 'failed') {
    for (const line of outcome.logs) if (line.attempt !== undefined) line.workMs = workMs;
  }
  if (outcome.kind !== 'claim') return;
  outcome.granted.workMs = workMs;
  outcome.refused.workMs = workMs;
}

/** Stores and counts the outcome of a delivery; without `ran` its agent could not run. */
async function store(
  outcome: Outcome,
  { outcomes, meter }: EngineDeps,
  ran?: { work: Work; workMs: number },
): Promise<DeliverySummary> {
  const committed = await outcomes.submit(outcome);
  const counted = meter && actionOutcome(outcome, committed);
  if (counted !== undefined) {
    const { storyId } = outcome.delivery;
    meter?.ran({ type: ran?.work.agent.type, storyId, outcome: counted, workMs: ran?.workMs });
  }
  return summary(outcome, committed, ran?.work);
}

/** Returns true for the data of a delivery job. Jobs added by hand may hold anything, and must not break a shared batch. */
export function isDeliveryJob(job: unknown): job is DeliveryJob {
  return (
    typeof job === 'object' && job !== null && 'deliveryId' in job && Number.isSafeInteger(job.deliveryId)
  );
}

function summary(outcome: Outcome, committed: Committed, work: Work | undefined): DeliverySummary {
  if (!committed.applied) return { outcome: 'gone' };
  const { error, handled } = committed;
  if (error !== undefined && handled !== true) return { outcome: 'failed', error };
  const emits = handled === true || outcome.kind === 'done' || outcome.kind === 'claim';
  return {
    outcome: handled === true ? 'handled' : outcome.kind === 'claim' ? 'done' : outcome.kind,
    storyRunGuid: outcome.delivery.storyRunGuid,
    ...(work === undefined ? {} : { story: work.story.name, agent: work.agent.name }),
    ...(emits ? { eventIds: committed.eventIds.slice(0, MAX_NAMED_EVENTS) } : {}),
    ...(error === undefined ? {} : { error }),
    ...('error' in outcome && outcome.error !== null ? { error: outcome.error } : {}),
  };
}

/**
 * Runs `work` in a slot. A quick agent keeps it until its outcome is stored: that bounds a flood's part of each
 * transaction, so others wait less. A slow agent waited for another server and leaves early, so that the next request can
 * be sent (rule 19).
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
 * Loads a delivery's agent and event, or returns its outcome if it cannot run now. The event is loaded last, as it may be
 * large.
 * @throws NoSlot if the event would be loaded in vain.
 */
async function findWork(
  delivery: DeliveryRow,
  deps: EngineDeps,
  slots?: Pick<StoryConcurrency, 'check'>,
): Promise<Work | Outcome> {
  if (delivery.cancelled) return nothingMore(delivery);
  const action = await findActionInStory(delivery, deps.graphs);
  if (action === undefined) return deadLetter(delivery, 'The action has been deleted');
  const { story, agent } = action;
  if (story.frozen === true) return rest(delivery, 'frozen');
  if (story.disabled || agent.disabled) return rest(delivery);
  if (delivery.resumeAt !== null && !delivery.resumed) return sleepOn(delivery, delivery.resumeAt);
  if (delivery.depth > deps.limits.maxDepth) {
    const error = `The run passed more than ${deps.limits.maxDepth} actions in a row: this is treated as a runaway loop`;
    return { ...deadLetter(delivery, error), isRunaway: true };
  }
  slots?.check(shareOf(story));
  const event = await deps.loader.event(delivery.eventId);
  if (event === undefined) return deadLetter(delivery, 'The event no longer exists');
  return { delivery, story, agent, event, isStart: delivery.queue === START_QUEUE };
}

/** Returns the agent's outcome; undefined if the delivery was deleted or changed meanwhile. */
async function workOn(
  work: Work,
  { deps, stop, watched }: Omit<Handling, 'slots'>,
): Promise<Outcome | undefined> {
  let opened: OpenedSecrets | undefined;
  const secrets = () => (opened ??= deps.vault.forTeam(work.story.teamId, work.story.tenantId));
  const mailProgress = new StoredMailProgress(work.delivery.mailProgress);
  const call: AgentCall = { deps, stop, logs: [], secrets, prompts: new Map(), mailProgress, watched };
  const leave = deps.underWay?.enter(work.delivery, stop);
  try {
    return await toOutcome(work, await stop.heededBy(callAgent(work, call)), call);
  } catch (error) {
    if (stop.reason instanceof NoLongerWanted) return unwanted(work.delivery, deps);
    // The agent did not fail: the relay adds a new job for the delivery, and this does not count as an attempt.
    if (isTransient(error) || error instanceof NoSlot || stop.reason instanceof JobTaken) throw error;
    return undone(work, { ...call, error });
  } finally {
    leave?.();
  }
}

/** Returns the outcome of cancelled work: the same as if the delivery started now. */
async function unwanted({ id, generation }: DeliveryRow, deps: EngineDeps): Promise<Outcome | undefined> {
  const delivery = await deps.loader.delivery(id);
  if (delivery === undefined || delivery.generation !== generation) return undefined;
  const found = await findWork(delivery, deps);
  return 'kind' in found ? found : { ...rest(delivery), delayMs: 0 };
}

/** Returns what came of a delivery; undefined if another worker was faster. */
function actionOutcome(outcome: Outcome, committed: Committed): ActionOutcome | undefined {
  if (!committed.applied) return undefined;
  if (committed.handled === true) return 'handled';
  if (committed.error !== undefined || outcome.kind === 'failed') return 'dead';
  if (outcome.kind === 'retry') return 'retry';
  if (outcome.kind === 'done' || outcome.kind === 'claim') {
    return committed.eventIds.length > 0 ? 'event' : 'none';
  }
  return 'later';
}
