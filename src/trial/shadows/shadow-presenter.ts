import Joi from 'joi';
import { component, idSchema, responseSchema, timeSchema } from '../../api/face.js';
import { timestamp } from '../../platform/time/timestamp.js';
import {
  DIFFERENCE_KINDS,
  MOST_GROUPS,
  RUN_VERDICTS,
  type Shadow,
  SHADOW_KINDS,
  SHADOW_STATES,
  SHADOW_STOPS,
  type ShadowDifference,
  type ShadowRun,
  type ShadowState,
  SKIP_REASONS,
  SHADOW_VALUE_TYPES,
} from './shadow.js';

/** A shadow of a draft. */
export function presentShadow(shadow: Shadow) {
  const { same, different, skipped, endedAt, kind } = shadow;
  const notCompared = Object.values(skipped).reduce((sum, count) => sum + count, 0);
  return {
    id: shadow.id,
    story_id: shadow.storyId,
    draft_id: shadow.draftId,
    kind,
    runs: shadow.most,
    percent: shadow.percent,
    until: timestamp(shadow.until),
    state: stateOf(shadow),
    stop_reason: shadow.stop,
    same,
    different,
    not_compared: notCompared,
    not_compared_because: Object.fromEntries(SKIP_REASONS.map((reason) => [reason, skipped[reason] ?? 0])),
    partly_compared: shadow.partial,
    waiting: shadow.waiting,
    left_out: shadow.leftOut,
    draft_version: shadow.draftVersion,
    draft_changed: shadow.draftVersion !== shadow.presentVersion,
    restarts: shadow.restarts,
    started_by: shadow.by,
    stopped_by: shadow.stoppedBy,
    created_at: timestamp(shadow.createdAt),
    ended_at: endedAt && timestamp(endedAt),
  };
}

function stateOf({ stop, endedAt }: Shadow): ShadowState {
  if (stop !== null) return 'stopped';
  return endedAt === null ? 'running' : 'completed';
}

const count = Joi.number().integer();
const userSchema = responseSchema({ id: idSchema, name: Joi.string().allow('') }).allow(null);

const REASON_WORDS: Record<(typeof SKIP_REASONS)[number], string> = {
  events_deleted: 'Retention has deleted the event that it began with',
  too_large: 'Too large or too long for a trial',
  incomplete: 'A part of it is too large for a trial, or belongs to another team',
  not_ended: 'It had not ended after an hour, or when the last runs were taken',
  cancelled: 'It was cancelled',
  no_start: 'The draft has no enabled action in the place of the one that it began at',
  failed: 'The comparison failed; the log of the maintenance worker says why',
};

const skippedSchema = component(
  'ShadowSkippedRuns',
  responseSchema(
    Object.fromEntries(SKIP_REASONS.map((reason) => [reason, count.description(REASON_WORDS[reason])])),
  ),
);

/** Schema of a shadow in a response. */
export const shadowSchema = component(
  'DraftShadow',
  responseSchema({
    id: idSchema,
    story_id: idSchema,
    draft_id: idSchema,
    kind: Joi.string()
      .valid(...SHADOW_KINDS)
      .description('`next`: the next runs; `sample`: a part of the next runs; `last`: runs of before'),
    runs: count.description('The most runs that it takes'),
    percent: count.description('The part of the runs that it takes'),
    until: timeSchema.description('Runs that begin later are not taken'),
    state: Joi.string()
      .valid(...SHADOW_STATES)
      .description('`completed`: all runs were taken, or the time is over'),
    stop_reason: Joi.string()
      .valid(...SHADOW_STOPS, null)
      .description('`no_rights`: the user or the key that started it may no longer change the story'),
    same: count.description('Runs in which the draft did the same'),
    different: count.description('Runs in which the draft did otherwise'),
    not_compared: count.description('Runs that could not be compared'),
    not_compared_because: skippedSchema.description('The same by reason'),
    partly_compared: count.description(
      'Runs, counted in `same` or `different` too, of which a part was not compared: the live story, tried with the run, does otherwise there as well',
    ),
    waiting: count.description('Runs that were taken and have not ended'),
    left_out: count.description(`Groups of differences beyond ${MOST_GROUPS}`),
    draft_version: count.description('The version of the draft that was compared'),
    draft_changed: Joi.boolean().description('Whether the draft has changed since'),
    restarts: count.description('How often it began again because the draft was changed'),
    started_by: userSchema.description('null if the account is gone'),
    stopped_by: userSchema.description('null unless a person stopped it'),
    created_at: timeSchema,
    ended_at: timeSchema.allow(null).description('null while it goes on'),
  }),
);

/** For the documentation. */
export const shadowExample = {
  id: 9,
  story_id: 12,
  draft_id: 44,
  kind: 'last',
  runs: 1000,
  percent: 100,
  until: '2026-11-21T11:30:00Z',
  state: 'completed',
  stop_reason: null,
  same: 963,
  different: 35,
  not_compared: 2,
  not_compared_because: {
    events_deleted: 0,
    too_large: 0,
    incomplete: 0,
    not_ended: 0,
    cancelled: 2,
    no_start: 0,
    failed: 0,
  },
  partly_compared: 0,
  waiting: 0,
  left_out: 0,
  draft_version: 6,
  draft_changed: false,
  restarts: 0,
  started_by: { id: 4, name: 'Ada Lovelace' },
  stopped_by: null,
  created_at: '2026-11-21T11:30:00Z',
  ended_at: '2026-11-21T11:31:40Z',
};

/** Differences of one kind at one place. */
export function presentShadowDifference(found: ShadowDifference) {
  return {
    id: found.id,
    action: { id: found.actionId, guid: found.guid, name: found.name },
    kind: found.kind,
    path: found.path,
    before: found.before,
    after: found.after,
    runs: found.runs,
    first_run_at: timestamp(found.firstRunAt),
    last_run_at: timestamp(found.lastRunAt),
    run_guids: found.examples,
  };
}

const typeSchema = Joi.string().valid(...SHADOW_VALUE_TYPES, null);

/** Schema of `presentShadowDifference`. */
export const shadowDifferenceSchema = component(
  'DraftShadowDifference',
  responseSchema({
    id: idSchema,
    action: component(
      'ShadowedAction',
      responseSchema({
        id: idSchema.allow(null).description('In the draft; null if the draft has none in its place'),
        guid: Joi.string().allow('').description('In the live story; in the draft for a new action'),
        name: Joi.string().allow(''),
      }),
    ).description('The action that does otherwise'),
    kind: Joi.string()
      .valid(...DIFFERENCE_KINDS)
      .description(
        '`changed`: an event differs at `path`; `added`, `missing`: events; `fails`, `recovers`, `other_error`: how the action fails; `unanswered`: a request that the run did not make, to which there is no answer',
      ),
    path: Joi.string().allow('').description('Path in the event; `[]` for any item of a list'),
    before: typeSchema.description('Type of the value in the run; null unless `changed`'),
    after: typeSchema.description('Type of the value in the draft; null unless `changed`'),
    runs: count.description('Runs with this difference'),
    first_run_at: timeSchema.description('When the first of these runs began'),
    last_run_at: timeSchema.description('When the last of these runs began'),
    run_guids: Joi.array()
      .items(Joi.string())
      .description('Some of these runs; a trial of the draft with one of them shows the values'),
  }),
);

/** For the documentation. */
export const shadowDifferenceExample = {
  id: 71,
  action: { id: 481, guid: 'b'.repeat(32), name: 'Grade' },
  kind: 'changed',
  path: 'grade',
  before: 'text',
  after: 'text',
  runs: 35,
  first_run_at: '2026-11-20T08:12:00Z',
  last_run_at: '2026-11-21T11:02:31Z',
  run_guids: ['0193a5c1-7d2e-7b31-9c44-2f6d0a1b8e57'],
};

/** A run that differs or was not compared. */
export function presentShadowRun({ guid, createdAt, reason }: ShadowRun) {
  return {
    run_guid: guid,
    run_at: timestamp(createdAt),
    verdict: reason === null ? RUN_VERDICTS[0] : RUN_VERDICTS[1],
    not_compared_because: reason,
  };
}

/** Schema of `presentShadowRun`. */
export const shadowRunSchema = component(
  'DraftShadowRun',
  responseSchema({
    run_guid: Joi.string().description('The run; a trial of the draft with it shows the values'),
    run_at: timeSchema.description('When the run began'),
    verdict: Joi.string()
      .valid(...RUN_VERDICTS)
      .description('`different`: the draft did otherwise; `not_compared`: it could not be compared'),
    not_compared_because: Joi.string()
      .valid(...SKIP_REASONS, null)
      .description('The reason, as in the shadow; null unless `not_compared`'),
  }),
);

/** For the documentation. */
export const shadowRunExample = {
  run_guid: shadowDifferenceExample.run_guids[0],
  run_at: '2026-11-21T11:02:31Z',
  verdict: 'different',
  not_compared_because: null,
};
