import {
  afterCall,
  type Committed,
  createFailureLinks,
  deadLetter,
  type DoneOutcome,
  type EmissionDeps,
  givenUp,
  joinGroup,
  mayEndRun,
  type Outcome,
  type OutcomeWriter,
  type ParkedOutcome,
  type SettledOutcome,
  toDeliveries,
  toEvents,
  toItems,
  toTokens,
  toUpdate,
} from '../../engine/face.js';
import type { createTrialClaims } from './trial-claims.js';
import type { TrialState } from './trial-state.js';

/** Called with each applied outcome. `eventIds`: of its outputs, in order; for a call, of the called run's input. */
export type NoteOutcome = (outcome: SettledOutcome, eventIds: number[]) => void;

export interface TrialOutcomesDeps extends EmissionDeps {
  state: TrialState;
  claims: ReturnType<typeof createTrialClaims>;
  note: NoteOutcome;
}

/** The OutcomeWriter of a trial. It also completes implode groups and ended calls. */
export interface TrialOutcomes extends OutcomeWriter {
  /** Ends groups past their timeout: partial ones as events, others as dead letters. */
  endGroups(): Promise<void>;
}

export function createTrialOutcomes(deps: TrialOutcomesDeps): TrialOutcomes {
  const { state, claims, note } = deps;
  const handleFailure = createFailureLinks(deps);

  const submit = async (outcome: Outcome): Promise<Committed> => {
    const settled = claims.settle(outcome.kind === 'failed' ? await handleFailure(outcome) : outcome);
    const eventIds = apply(settled, state);
    note(settled, eventIds);
    if (settled.kind === 'parked' && settled.item !== undefined) await completeGroup(settled.item.groupKey);
    await endCall(settled);
    return { applied: true, eventIds };
  };

  const completeGroup = async (groupKey: string): Promise<void> => {
    const members = state.groups.findWhole(groupKey);
    const last = state.deliveries.find(members?.at(-1)?.deliveryId ?? 0);
    if (members !== undefined && last !== undefined) await submit(await joinGroup(members, last, deps));
  };

  const endCall = async (outcome: SettledOutcome): Promise<void> => {
    const { storyRunGuid } = outcome.delivery;
    if (!mayEndRun(outcome) || state.deliveries.openIn(storyRunGuid) > 0) return;
    const caller = state.deliveries.find(state.calls.get(storyRunGuid)?.caller.id ?? 0);
    if (caller?.state === 'parked') await submit(await afterCall(caller, deps));
  };

  return {
    submit,
    drain: () => Promise.resolve(),
    async endGroups() {
      for (const key of state.groups.over()) await completeGroup(key);
      for (const { deliveryId, ...group } of state.groups.expired()) {
        const delivery = state.deliveries.find(deliveryId);
        if (delivery !== undefined) await submit(deadLetter(delivery, givenUp(group)));
      }
    },
  };
}

/** Applies the outcome to the rows, as commit/store-outcomes.ts does; returns the new events' ids. */
function apply(outcome: SettledOutcome, state: TrialState): number[] {
  if (outcome.kind === 'done') return applyDone(outcome, state);
  const { deliveries, groups } = state;
  deliveries.update(toUpdate(outcome));
  if (outcome.kind === 'parked') return applyParked(outcome, state);
  // Waiting does not enable a story or an agent.
  if (outcome.kind === 'rest') deliveries.hold(outcome.delivery.id);
  if (outcome.kind === 'failed') groups.delete([outcome.delivery.id]);
  return [];
}

function applyDone(outcome: DoneOutcome, { deliveries, groups, insertEvent }: TrialState): number[] {
  deliveries.delete(toTokens(outcome));
  groups.delete(toTokens(outcome));
  const eventIds = toEvents(outcome).map(insertEvent);
  deliveries.insert(toDeliveries(outcome, eventIds));
  return eventIds;
}

function applyParked(outcome: ParkedOutcome, state: TrialState): number[] {
  for (const item of toItems(outcome)) state.groups.add(item);
  if (outcome.call === undefined) return [];
  state.calls.set(outcome.call.call.storyRunGuid, outcome.call.call);
  return [state.insertStart(outcome.call.start)];
}
