import Joi from 'joi';
import {
  type AnyRoute,
  component,
  defineRoute,
  idSchema,
  responseSchema,
  type RunSource,
  timeSchema,
} from '../../api/face.js';
import { idField } from '../../platform/http/address/path-id.js';
import { timeField } from '../../platform/http/time-field.js';
import { timestamp } from '../../platform/time/timestamp.js';
import { eventExample } from '../events/event-presenter.js';
import { presentRun } from '../runs/run-presenter.js';
import { warningsField } from '../runs/run-params.js';
import { runExample, runSchema } from '../runs/run-schemas.js';
import { RUN_SOURCES, RUN_STATUSES, type RunStatus } from '../runs/run.js';
import { pathField } from './payload-path.js';
import { cursorField, type RunCursor, writeRunCursor } from './run-cursor.js';
import type { NamedRuns, RunSearchService } from './run-search-service.js';
import type { MatchedRun, RunSearch } from './search-walk.js';

interface Services {
  runSearch: RunSearchService;
}

interface SearchQuery {
  story_id?: number;
  team_id?: number;
  story_mode: 'LIVE' | 'TEST';
  status?: RunStatus;
  source?: RunSource;
  since?: Date;
  until?: Date;
  min_duration?: number;
  max_duration?: number;
  warnings?: boolean;
  path?: string;
  value?: string;
  before?: RunCursor;
  per_page: number;
}

const MAX_VALUE_CHARACTERS = 1_000;

const searchQuery = Joi.object<SearchQuery>({
  story_id: idField.description('Runs of this story or draft'),
  team_id: idField.description('Runs of the stories of this team'),
  story_mode: Joi.string().valid('LIVE', 'TEST').default('LIVE').description('TEST for runs of drafts'),
  status: Joi.string()
    .valid(...RUN_STATUSES)
    .description('Runs in this status'),
  source: Joi.string()
    .valid(...RUN_SOURCES)
    .description('How the runs were started'),
  since: timeField.description('Runs started at or after this time'),
  until: timeField.description('Runs started before this time'),
  min_duration: Joi.number().min(0).description('Minimum duration in seconds'),
  max_duration: Joi.number().min(0).description('Maximum duration in seconds'),
  warnings: warningsField,
  path: pathField,
  value: Joi.string()
    .max(MAX_VALUE_CHARACTERS)
    .description(
      'The value at `path`, as text; any value if absent. Without `path`, anywhere in the payload',
    ),
  before: cursorField,
  per_page: Joi.number().integer().min(1).max(100).default(20).description('Runs per page'),
});

const foundRun = component(
  'FoundRun',
  runSchema.keys({
    match: responseSchema({
      event_id: idSchema.description('The first event with the value, of those compared'),
      path: Joi.string().allow('', null).description('Path of the value; null with `path` in the search'),
    })
      .allow(null)
      .required()
      .description('The place of the searched value in the run; null without `path` and `value`'),
  }),
);

const meta = component(
  'RunSearchMeta',
  responseSchema({
    per_page: Joi.number().integer().description('Maximum runs per page'),
    next_before: Joi.string()
      .allow(null)
      .description('`before` of the next page; null if there are no more runs'),
    looked_at: Joi.number().integer().description('Number of runs compared with the search'),
    complete: Joi.boolean().description(
      'false if some runs were not compared: continue with `next_before`, or the time between `indexed_until` and `looked_since` was skipped',
    ),
    indexed_until: timeSchema
      .allow(null)
      .description('Runs started before this were found through the index; null if it was not needed'),
    looked_since: timeSchema
      .allow(null)
      .description(
        'If the search ended at its limit: runs started since were compared with all their events; otherwise null',
      ),
  }),
);

/** Searches runs over all stories (spec §5.7). */
export const runSearchRoutes: AnyRoute<Services>[] = [
  defineRoute<unknown, SearchQuery, unknown, Services>({
    method: 'get',
    path: '/api/v1/runs',
    summary: 'Search the runs of all stories, newest first',
    query: searchQuery,
    docs: {
      tag: 'Runs',
      operationId: 'searchRuns',
      description:
        'Runs of every story that the key can access. A request compares at most 2,000 runs within three seconds; `complete` is false if it hit that limit, and `next_before` continues from there. With `path` or `value`, runs match by the payload of one of their events. With `value`, the search continues beyond its limit through the index, which covers the first event of each run.',
      response: component(
        'RunSearchResult',
        responseSchema({
          story_runs: Joi.array().items(foundRun).description('Runs of the page'),
          meta,
        }),
      ),
      example: {
        query: { status: 'failed', path: 'body.alert.id', value: 'A-17' },
        response: {
          story_runs: [{ ...runExample, match: { event_id: eventExample.id, path: null } }],
          meta: {
            per_page: 20,
            next_before: null,
            looked_at: 41,
            complete: true,
            indexed_until: null,
            looked_since: null,
          },
        },
      },
      errors: [404, 422],
    },
    async handle({ actor, query }, { runSearch }) {
      const page = { after: query.before, size: query.per_page };
      return present(await runSearch.search(actor, searchOf(query), page), query);
    },
  }),
];

function searchOf(query: SearchQuery): RunSearch {
  const { path, value } = query;
  return {
    storyId: query.story_id,
    teamId: query.team_id,
    ofDrafts: query.story_mode === 'TEST',
    status: query.status,
    source: query.source,
    since: query.since,
    until: query.until,
    minDuration: query.min_duration,
    maxDuration: query.max_duration,
    warnings: query.warnings,
    payload: path === undefined && value === undefined ? undefined : { path, value },
  };
}

function present(
  { runs, next, lookedAt, complete, lookedSince, indexedUntil }: NamedRuns,
  { per_page }: SearchQuery,
) {
  return {
    story_runs: runs.map((run) => ({ ...presentRun(run), match: presentMatch(run) })),
    meta: {
      per_page,
      next_before: next === undefined ? null : writeRunCursor(next),
      looked_at: lookedAt,
      complete,
      indexed_until: indexedUntil === undefined ? null : timestamp(indexedUntil),
      looked_since: lookedSince === undefined ? null : timestamp(lookedSince),
    },
  };
}

function presentMatch({ match }: Pick<MatchedRun, 'match'>) {
  return match === undefined ? null : { event_id: match.eventId, path: match.path ?? null };
}
