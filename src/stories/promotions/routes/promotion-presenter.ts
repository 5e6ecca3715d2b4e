import Joi from 'joi';
import { component, idSchema, responseSchema, timeSchema } from '../../../api/face.js';
import { parseJson } from '../../../platform/json/parse-json.js';
import { timestamp } from '../../../platform/time/timestamp.js';
import { differencesSchema, placeKeys } from '../../diff/diff-presenter.js';
import { exportExample } from '../../story/routes/story-routes.js';
import type { Bundle } from '../bundle/make-bundle.js';
import type { PlannedStory, PromotionPlan } from '../plan/plan-promotion.js';
import { mappingSchema, sourceSchema } from './promotion-body.js';
import { conflictReason, PROMOTION_SIDES } from '../../merge/conflict-words.js';
import { refusalOf } from '../plan/promotion-refusal.js';
import type { PromotionView } from '../promotion-service.js';
import type { PromotionRecord } from '../promotion-store.js';
import type { StoredWebhook } from '../target-store.js';

/** A bundle as a response, which a promotion takes as it is. */
export function presentBundle({ tenant, exportedAt, stories, needs }: Bundle, baseUrl: string) {
  return {
    fabula_bundle: 1,
    source: { tenant, url: baseUrl },
    exported_at: timestamp(exportedAt),
    stories,
    needs: {
      teams: needs.teams,
      credentials: needs.credentials,
      resources: needs.resources,
      record_types: needs.recordTypes,
      stories: needs.stories,
      webhook_paths: needs.webhookPaths,
    },
  };
}

const { secret: _, ...addressOfExample } = exportExample.agents[0]?.options ?? {};

/** A bundle for examples. */
export const bundleExample = {
  fabula_bundle: 1,
  source: { tenant: 'Test', url: 'https://test.fabula.example' },
  exported_at: '2026-12-03T09:00:00Z',
  stories: [
    {
      guid: exportExample.guid,
      name: exportExample.name,
      team: 'Security',
      data: {
        ...exportExample,
        agents: exportExample.agents.map((agent) => ({ ...agent, options: addressOfExample })),
      },
    },
  ],
  needs: {
    teams: ['Security'],
    credentials: ['Ticket system (test)'],
    resources: [],
    record_types: [],
    stories: [],
    webhook_paths: ['alerts'],
  },
};

const state = Joi.string()
  .valid('new', 'changed', 'unchanged')
  .description('How the promotion changes the story; `changed` also covers its name');

const webhook = component(
  'PromotedWebhook',
  responseSchema({
    action: Joi.string().allow('').description('Name of the action'),
    path: Joi.string().allow(null).description('null: a new path is generated'),
    url: Joi.string().allow(null).description('Its URL without the secret; null without a path'),
    is_kept: Joi.boolean().description('Whether the story has it already: its path and secret stay'),
  }),
);

const conflict = component(
  'PromotionConflict',
  responseSchema({
    entry: Joi.string().description('Names the conflict in `choices`, as long as its values stay the same'),
    take: Joi.string()
      .valid('incoming', 'live')
      .allow(null)
      .description('The side that `choices` takes; null: nobody has decided'),
    ...placeKeys,
    base: Joi.any().description('The value with which it came last; null if absent or unknown'),
    live: Joi.any().description('The value here; null if absent'),
    incoming: Joi.any().description('The value with which it comes; null if absent'),
    because: Joi.string().allow(null).description('Why it is a conflict; null: both changed this very value'),
  }),
);

const missing = component(
  'MissingName',
  responseSchema({
    kind: Joi.string()
      .valid('team', 'credential', 'resource', 'story')
      .description('Type of the missing thing'),
    name: Joi.string().allow('').description('The name after the mapping'),
  }),
);

const checkedStory = component(
  'CheckedPromotionStory',
  responseSchema({
    source_guid: Joi.string().description('Guid of the story in the source'),
    name: Joi.string().allow('').description('Its name in the bundle'),
    team: Joi.string().allow('').description('The team after the mapping'),
    story_id: idSchema.allow(null).description('The story that it becomes; null for a new one'),
    live_version: Joi.number()
      .integer()
      .allow(null)
      .description('Version of that story, for `resolve_rest`; null for a new one'),
    state,
    story_diff: differencesSchema.description(
      'The changes here, at most 500 differences; empty for a new story',
    ),
    count: Joi.number().integer().description('All differences, listed or not'),
    complete: Joi.boolean().description('Whether all differences are listed'),
    kept: differencesSchema.description(
      'Changes made here since the last promotion, which stay; `before` is the value in the bundle',
    ),
    conflicts: Joi.array()
      .items(conflict)
      .description('Parts changed here and in the source, decided or not, at most 100'),
    conflict_count: Joi.number().integer().description('All conflicts, listed or not'),
    open_count: Joi.number().integer().description('Conflicts that nobody has decided'),
    missing: Joi.array().items(missing).description('Names that the story needs and that do not exist here'),
    refusals: Joi.array().items(Joi.string()).description('Other reasons against the promotion'),
    new_record_types: Joi.array().items(Joi.string()).description('Record types that are created'),
    webhooks: Joi.array().items(webhook).description('The webhooks that the story will have'),
  }),
);

/** The schema of `presentCheck`. */
export const checkSchema = component(
  'PromotionCheck',
  responseSchema({
    ok: Joi.boolean().description('Whether the promotion would be carried out'),
    stories: Joi.array().items(checkedStory).description('In the order of the bundle'),
  }),
);

/** What a promotion would do, as a response. */
export function presentCheck(plan: PromotionPlan, baseUrl: string) {
  return {
    ok: refusalOf(plan) === undefined,
    stories: plan.stories.map((story) => presentPlanned(story, baseUrl)),
  };
}

function presentPlanned({ order, state: planned, live, ...story }: PlannedStory, baseUrl: string) {
  const rename = live?.newName;
  const renamed = {
    kind: 'setting',
    action: null,
    guid: null,
    path: 'name',
    change: 'changed',
    before: live?.story.name ?? null,
    after: rename ?? null,
  };
  const differences = [...(rename === undefined ? [] : [renamed]), ...(live?.merge.differences ?? [])];
  return {
    source_guid: order.sourceGuid,
    name: order.name,
    team: order.team,
    story_id: live?.story.id ?? null,
    live_version: live?.story.version ?? null,
    state: planned,
    story_diff: differences,
    count: (live?.merge.count ?? 0) + (rename === undefined ? 0 : 1),
    complete: live?.merge.complete ?? true,
    kept: live?.merge.kept ?? [],
    conflicts: (live?.merge.conflicts ?? []).map(({ draft, because, take, ...each }) => ({
      ...each,
      take: take === 'draft' ? 'incoming' : take,
      incoming: draft,
      because: because === undefined ? null : conflictReason(because, PROMOTION_SIDES),
    })),
    conflict_count: live?.merge.conflictCount ?? 0,
    open_count: live?.merge.openCount ?? 0,
    missing: story.missing,
    refusals: story.refusals,
    new_record_types: story.recordTypes,
    webhooks: story.webhooks.map(({ action, path, isKept }) => ({
      action,
      ...addressOf(path, baseUrl),
      is_kept: isKept,
    })),
  };
}

function addressOf(path: string, baseUrl: string) {
  return path === '' ? { path: null, url: null } : { path, url: `${baseUrl}/webhook/${path}` };
}

const promotionKeys = {
  id: idSchema,
  name: Joi.string().description('Name of the promotion and of its versions'),
  source: sourceSchema,
  user: responseSchema({
    id: idSchema,
    name: Joi.string().allow(null).description('null: the user has no name, or was deleted'),
  }).description('The user who promoted'),
  reason: Joi.string().allow(null).description('Why it overwrote changes; null if it did not'),
  created_at: timeSchema,
  reverted_at: timeSchema.allow(null).description('null: it stands'),
  reverted_by: idSchema.allow(null).description('The user who reverted it'),
  revert_reason: Joi.string().allow(null).description('Why it was reverted over changes; null if it was not'),
};

/** The schema of an item of the list. */
export const promotionSchema = component('Promotion', responseSchema(promotionKeys));

const storedWebhook = component(
  'PromotionWebhook',
  responseSchema({
    action: Joi.string().allow('').description('Name of the action'),
    path: Joi.string().description('Part of its URL'),
    url: Joi.string().description('Its URL without the secret'),
  }),
);

const promotedStory = component(
  'PromotionStory',
  responseSchema({
    story_id: idSchema,
    team_id: idSchema,
    source_guid: Joi.string().description('Guid of the story in the source'),
    name: Joi.string().allow('').description('Its name in the bundle'),
    state,
    version_before: idSchema.allow(null).description('The version before; null if it was new or unchanged'),
    version_after: idSchema.allow(null).description('The version that the promotion made; null if unchanged'),
    webhooks: Joi.array().items(storedWebhook).description('The webhooks that the story has now'),
  }),
);

/** The schema of `presentView`. */
export const promotionViewSchema = component(
  'PromotionDetails',
  responseSchema({
    ...promotionKeys,
    mapping: mappingSchema.description('The names of this tenant that it used'),
    stories: Joi.array().items(promotedStory).description('In the order of the bundle'),
  }).keys({
    warnings: Joi.array().items(Joi.string()).description('Returned by writes; absent if none'),
  }),
);

/** A promotion in a list. */
export function presentPromotion(promotion: PromotionRecord) {
  return {
    id: promotion.id,
    name: promotion.name,
    source: parseJson(promotion.source),
    user: { id: promotion.userId, name: promotion.userName },
    reason: promotion.reason,
    created_at: timestamp(promotion.createdAt),
    reverted_at: promotion.revertedAt === null ? null : timestamp(promotion.revertedAt),
    reverted_by: promotion.revertedBy,
    revert_reason: promotion.revertReason,
  };
}

/** A promotion with its stories. */
export function presentView({ promotion, stories, webhooks, warnings }: PromotionView, baseUrl: string) {
  return {
    ...presentPromotion(promotion),
    mapping: parseJson(promotion.mapping),
    stories: stories.map((story) => ({
      story_id: story.storyId,
      team_id: story.teamId,
      source_guid: story.sourceGuid,
      name: story.name,
      state: story.state,
      version_before: story.versionBefore,
      version_after: story.versionAfter,
      webhooks: webhooks
        .filter(({ storyId }) => storyId === story.storyId)
        .map((each) => presentWebhook(each, baseUrl)),
    })),
    ...(warnings.length > 0 && { warnings }),
  };
}

function presentWebhook({ action, path }: StoredWebhook, baseUrl: string) {
  return { action, path, url: `${baseUrl}/webhook/${path}` };
}

/** A promotion for examples. */
export const promotionExample = {
  id: 3,
  name: 'Release 12',
  source: bundleExample.source,
  user: { id: 4, name: 'Ada Lovelace' },
  reason: null,
  created_at: '2026-12-03T09:05:00Z',
  reverted_at: null,
  reverted_by: null,
  revert_reason: null,
};

export const mappingExample = {
  teams: { Security: 'Operations' },
  credentials: { 'Ticket system (test)': 'Ticket system' },
  resources: {},
  webhook_paths: {},
};

/** A promotion with its stories for examples. */
export const promotionViewExample = {
  ...promotionExample,
  mapping: mappingExample,
  stories: [
    {
      story_id: 12,
      team_id: 2,
      source_guid: exportExample.guid,
      name: exportExample.name,
      state: 'changed',
      version_before: 70,
      version_after: 71,
      webhooks: [{ action: 'Receive alert', path: 'alerts', url: 'https://fabula.example/webhook/alerts' }],
    },
  ],
};

/** A check for examples. */
export const checkExample = {
  ok: true,
  stories: [
    {
      source_guid: exportExample.guid,
      name: exportExample.name,
      team: 'Operations',
      story_id: null,
      live_version: null,
      state: 'new',
      story_diff: [],
      count: 0,
      complete: true,
      kept: [],
      conflicts: [],
      conflict_count: 0,
      open_count: 0,
      missing: [],
      refusals: [],
      new_record_types: [],
      webhooks: [
        {
          action: 'Receive alert',
          path: 'alerts',
          url: 'https://fabula.example/webhook/alerts',
          is_kept: false,
        },
      ],
    },
  ],
};
