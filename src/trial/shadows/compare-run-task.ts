import { createHash } from 'node:crypto';
import { stringifyJson } from '../../platform/json/exact-number.js';
import type { JsonValue } from '../../platform/json.js';
import type { ActionDifference } from '../comparison/trial-difference.js';
import { entriesOf, type TrialReport } from '../report/trial-report.js';
import { actionViewsOf, isNew } from '../story/action-view.js';
import { NoTrial } from '../story/no-trial.js';
import type { KnownAction, StoryTrialWork } from '../story/story-trial.js';
import { type AskTrial, differenceTo, type EndedTrial, tryTwice } from '../story/try-story-task.js';
import { type FoundDifference, pathOfGroup, type RunComparison, typeOfValue } from './run-comparison.js';

/** Differences of one run. More tell no more. */
const MOST_DIFFERENCES = 200;
const MOST_PATH_CHARACTERS = 500;
const MOST_NAME_CHARACTERS = 255;

/** For `TASKS`: runs a story over memory with a past run, and returns what differs, without values. */
export async function compareRunInThread(work: StoryTrialWork, ask: AskTrial): Promise<RunComparison> {
  try {
    return comparisonOf(work, await tryTwice(work, ask));
  } catch (error) {
    if (!(error instanceof NoTrial)) throw error;
    return { skipped: 'no_start' };
  }
}

function comparisonOf(work: StoryTrialWork, ended: EndedTrial): RunComparison {
  const { report, course } = ended;
  const difference = differenceTo(ended);
  if (difference === null) return { skipped: 'events_deleted' };
  if (report.stopped !== undefined) return { skipped: 'too_large' };
  const of = createNaming(work, ended);
  const payloads = new Map(entriesOf(report, 'event').map(({ id, payload }) => [id, payload]));
  const found = [
    ...difference.actions.flatMap((action) =>
      ofAction(action, of(action.agentId, action.pastAgentId), payloads),
    ),
    ...unansweredIn(report).map(({ agentId, method, url }) =>
      made(of(agentId, course.pastActionOf(agentId)), { kind: 'unanswered', value: `${method} ${url}` }),
    ),
  ];
  return { differences: found.slice(0, MOST_DIFFERENCES) };
}

type Named = Pick<FoundDifference, 'actionId' | 'pastActionId' | 'guid' | 'name'>;

/** Names actions: the action of the run and the one of the story that continues it are one. */
function createNaming({ past }: StoryTrialWork, { stories, course }: EndedTrial) {
  const viewOf = actionViewsOf(stories);
  const earlier = new Map((past?.actions ?? []).map((action) => [action.id, action]));
  const present = new Map<number, KnownAction>();
  for (const action of stories.actions) {
    const id = course.pastActionOf(action.id);
    if (id !== undefined) present.set(id, action);
  }
  return (agentId: number | undefined, pastAgentId: number | undefined): Named => {
    const known = pastAgentId === undefined ? undefined : earlier.get(pastAgentId);
    const id = agentId ?? present.get(pastAgentId ?? 0)?.id;
    const view = id === undefined ? null : viewOf(id);
    return {
      actionId: id === undefined || isNew(id) ? null : id,
      pastActionId: pastAgentId ?? null,
      guid: known?.guid ?? view?.guid ?? '',
      name: (view?.name ?? known?.name ?? '').slice(0, MOST_NAME_CHARACTERS),
    };
  };
}

function ofAction(
  { added, missing, changed, errors }: ActionDifference,
  named: Named,
  payloads: ReadonlyMap<number, JsonValue>,
): FoundDifference[] {
  return [
    ...changed.flatMap(({ pastId, changes }) =>
      changes.map(({ path, before, after }) =>
        made(named, { kind: 'changed', at: `${pastId} ${path}`, path, before, after, value: after }),
      ),
    ),
    ...added.map((id) => made(named, { kind: 'added', value: payloads.get(id) })),
    ...missing.map((id) => made(named, { kind: 'missing', at: String(id) })),
    ...(errors === undefined
      ? []
      : [made(named, { kind: errorKind(errors), value: errors.after.toSorted() })]),
  ];
}

function errorKind({ before, after }: { before: string[]; after: string[] }) {
  if (before.length < after.length) return 'fails';
  return before.length > after.length ? 'recovers' : 'other_error';
}

interface Making extends Pick<FoundDifference, 'kind'> {
  /** The event in the run, and the place in it. */
  at?: string;
  path?: string;
  before?: JsonValue | undefined;
  after?: JsonValue | undefined;
  /** What the trial has there. */
  value?: JsonValue | undefined;
}

function made(named: Named, { kind, at = '', path = '', before, after, value }: Making): FoundDifference {
  const isChange = kind === 'changed';
  const result = createHash('sha256').update(value === undefined ? '' : stringifyJson(value));
  return {
    ...named,
    kind,
    path: pathOfGroup(path).slice(0, MOST_PATH_CHARACTERS),
    before: isChange ? typeOfValue(before) : null,
    after: isChange ? typeOfValue(after) : null,
    mark: `${named.pastActionId ?? `new ${named.actionId}`} ${kind} ${at} ${result.digest('base64')}`,
  };
}

/** Requests that the run has no answer to. */
function unansweredIn(report: TrialReport) {
  return entriesOf(report, 'request').filter(({ origin }) => origin === 'none');
}
