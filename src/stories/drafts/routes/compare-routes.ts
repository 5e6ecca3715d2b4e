import Joi from 'joi';
import {
  type AnyRoute,
  component,
  defineRoute,
  idSchema,
  responseSchema,
  type RoutePath,
} from '../../../api/face.js';
import { differencesSchema, placeKeys } from '../../diff/diff-presenter.js';
import { storyExportSchema } from '../../import/import-request.js';
import { exportExample } from '../../story/routes/story-routes.js';
import type { DraftComparison } from '../compare-draft.js';
import type { DraftPlace, DraftService } from '../draft-service.js';

interface Services {
  drafts: DraftService;
}

const version = Joi.number().integer();
const value = Joi.any().description('null if absent or unknown');

const testNames = Joi.array().items(Joi.string());

const conflict = component(
  'DraftConflict',
  responseSchema({
    ...placeKeys,
    entry: Joi.string().description('Names the conflict in `resolve`'),
    base: value,
    live: value,
    draft: value,
    because: Joi.string().allow(null).description('Why it is a conflict; null: both changed this very value'),
  }),
);

const waiting = component(
  'WaitingAction',
  responseSchema({
    id: idSchema,
    name: Joi.string().allow(''),
    guid: Joi.string(),
    events: Joi.number().integer().description('Events that would become dead letters'),
  }),
);

/** The schema of `presentComparison`. */
const comparisonSchema = component(
  'DraftComparison',
  responseSchema({
    base_version: version
      .allow(null)
      .description('The live version that the draft was created from or last updated to; null if unknown'),
    live_version: version.description('The current live version'),
    draft: differencesSchema.description('Changes of the draft since `base_version`'),
    live: differencesSchema.description('Changes that others have published since `base_version`'),
    merged: differencesSchema.description('Live changes that the draft lacks; `before` is the draft’s value'),
    conflicts: Joi.array().items(conflict).description('Entries that both have changed, at most 1,000'),
    conflict_count: Joi.number().integer().description('All conflicts, listed or not'),
    tests: responseSchema({
      removed: testNames.description('Names of tests that it would remove'),
      changed: testNames.description('Names of tests that it would write otherwise'),
    }).description('Tests of the live story that the publication would not leave as they are'),
    waiting: Joi.array()
      .items(waiting)
      .description('Actions with waiting events that the publication would remove'),
    live_story_export: storyExportSchema.description('The live story'),
    published_export: storyExportSchema.description(
      'The story after the publication, with the draft’s side of each conflict',
    ),
  }),
);

/** Returns a comparison of a draft with its story as a response. */
function presentComparison(comparison: DraftComparison) {
  const { sides, merged, conflicts, tests } = comparison;
  return {
    base_version: comparison.baseVersion,
    live_version: comparison.liveVersion,
    draft: sides.draft,
    live: sides.live,
    merged,
    conflicts: conflicts.map((each) => ({ ...each, because: each.because ?? null })),
    conflict_count: comparison.conflictCount,
    tests: { removed: tests.removed, changed: tests.changed },
    waiting: comparison.waiting.map(({ id, name, guid, pendingActionRuns }) => ({
      id,
      name,
      guid,
      events: pendingActionRuns,
    })),
    live_story_export: comparison.live,
    published_export: comparison.published,
  };
}

interface CompareQuery {
  skipped_conflicts: number;
}

const compareQuery = Joi.object<CompareQuery>({
  skipped_conflicts: Joi.number()
    .integer()
    .min(0)
    .max(1_000_000)
    .default(0)
    .description('`conflicts` lists those after the first so many'),
});

/** Declares the comparison of the draft at a place with its story. */
export function compareRoute<Params>(
  { path, params, example: at, operationId }: Required<RoutePath<Params>> & { operationId: string },
  placeOf: (params: Params) => DraftPlace,
): AnyRoute<Services> {
  return defineRoute<Params, CompareQuery, undefined, Services>({
    method: 'get',
    path: `${path}/diff`,
    summary: 'Compare a draft with its story',
    params,
    query: compareQuery,
    docs: {
      tag: 'Drafts',
      operationId,
      description:
        'Returns what a publication would do, and writes nothing: the changes of the draft, those published since it was created, what both have changed otherwise, and the waiting events of actions that would go away. At most 2,000 differences are listed of each kind.',
      response: comparisonSchema,
      example: {
        params: at,
        response: {
          base_version: 7,
          live_version: 8,
          draft: [],
          live: [],
          merged: [],
          conflicts: [],
          conflict_count: 0,
          tests: { removed: [], changed: [] },
          waiting: [],
          live_story_export: exportExample,
          published_export: exportExample,
        },
      },
      errors: [400, 403, 404, 422],
    },
    handle: async ({ actor, params: given, query }, { drafts }) =>
      presentComparison(await drafts.compare(actor, placeOf(given), query.skipped_conflicts)),
  });
}
