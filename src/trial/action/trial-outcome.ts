import { parseJson } from '../../platform/json/parse-json.js';
import type { JsonObject, JsonValue } from '../../platform/json.js';
import { jsonWithMarkers, valueWithMarkers } from '../../platform/secrets/secret-reference.js';
import { portOf } from '../report/trial-report.js';
import type { ActionTrial, TrialEffect } from './action-trial.js';
import type { ClaimOutcome, DoneOutcome, Outcome, ParkedOutcome, UndoneOutcome } from '../../engine/face.js';

type Shown = Pick<ActionTrial, 'outputs' | 'effect' | 'error' | 'logs'>;

/** Returns what a trial shows of an outcome. Nothing is decided on stored data: a claim is shown as granted. */
export function presentOutcome(outcome: Outcome): Shown {
  if (outcome.kind === 'claim') return shownClaim(outcome);
  if (outcome.kind === 'done') return shownDone(outcome);
  return outcome.kind === 'parked' ? shownParked(outcome) : shownUndone(outcome);
}

function shownDone({ outputs, prompts = [], failure, logs }: DoneOutcome): Shown {
  return {
    outputs: outputs.map(({ payload, branch, receivers }) => ({
      payload: parseJson(jsonWithMarkers(payload)),
      port: portOf(branch),
      receiverIds: receivers.map(({ agentId }) => agentId),
    })),
    effect:
      prompts.length === 0
        ? undefined
        : effectOf('prompts', { answers: prompts.map(({ status }) => status) }),
    error: failure,
    logs,
  };
}

function shownClaim({ claim, granted, logs }: ClaimOutcome): Shown {
  if (claim.kind !== 'record') return { ...shownDone(granted), effect: effectOf(claim.kind, {}) };
  const values = claim.values.map(({ field, value }): JsonObject => ({ field, value }));
  const effect = effectOf('record', { record_type: claim.recordType, values: valueWithMarkers(values) });
  return { outputs: [], effect, error: undefined, logs };
}

function shownParked({ item, call, logs }: ParkedOutcome): Shown {
  const nothing = { outputs: [], error: undefined, logs };
  if (call !== undefined) {
    const { storyId, agentId, input } = call.start;
    const details = { story_id: storyId, action_id: agentId, event: parseJson(jsonWithMarkers(input)) };
    return { ...nothing, effect: effectOf('call', details) };
  }
  if (item === undefined) return { ...nothing, effect: undefined };
  const details = { size: item.size, item: parseJson(jsonWithMarkers(item.item)) };
  return { ...nothing, effect: effectOf('gather', details) };
}

function shownUndone({ kind, delayMs, dueAt, error, logs }: UndoneOutcome): Shown {
  const sleeps = kind === 'sleep' && error === null;
  const until = dueAt === undefined ? { seconds: delayMs / 1000 } : { until: `${dueAt.replace(' ', 'T')}Z` };
  return {
    outputs: [],
    effect: sleeps ? effectOf('sleep', until) : undefined,
    error: error ?? undefined,
    logs,
  };
}

function effectOf(kind: string, details: Record<string, JsonValue>): TrialEffect {
  return { kind, ...details };
}
