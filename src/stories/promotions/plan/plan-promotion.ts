import type { Actor } from '../../../api/face.js';
import { NotFound } from '../../../platform/errors.js';
import type { Database } from '../../../platform/mysql/database.js';
import { givenAddress, WEBHOOK_TYPE } from '../../import/import-address.js';
import { findTakenWebhookPaths } from '../../import/story-import-store.js';
import type { StoryRecord } from '../../story/story-store.js';
import { visibleStory } from '../../story/visible-story.js';
import { readSnapshot } from '../../versions/version-snapshot.js';
import { incomingSnapshot } from './incoming-story.js';
import type { PromotedWebhook } from './promotion-merge-task.js';
import type { MergedPromotion, PromotionMerger } from './promotion-merger.js';
import { type PromotedState, readPromotedBase } from '../promotion-store.js';
import { findPlaces, type MissingName, type PromotionPlace } from './promotion-target.js';
import type { PromotedStory, PromotionOrder } from './read-promotion.js';

/** What a promotion would do to one story. */
export interface PlannedStory {
  order: PromotedStory;
  /** Undefined: the team is missing. */
  teamId: number | undefined;
  /** The story as it comes, as the text of a snapshot. */
  incoming: string;
  state: PromotedState;
  /** The story that it becomes; undefined: a new one. */
  live: LiveState | undefined;
  missing: MissingName[];
  recordTypes: string[];
  /** Why it cannot be promoted, if not for names or conflicts. */
  refusals: string[];
  webhooks: PromotedWebhook[];
}

/** The story in the target, and what is to become of it. */
export interface LiveState {
  story: StoryRecord;
  digest: string;
  merge: MergedPromotion;
  /** Another name that it is given; undefined: it keeps its name. */
  newName: string | undefined;
}

/** A promotion before it is written. */
export interface PromotionPlan {
  order: PromotionOrder;
  stories: PlannedStory[];
}

interface PlanDeps {
  database: Pick<Database, 'read' | 'transaction'>;
  merger: PromotionMerger;
}

/** Compares the stories with the tenant's; writes nothing. @throws Forbidden as `findPlaces`; as `PromotionMerger`. */
export async function planPromotion(
  actor: Actor,
  order: PromotionOrder,
  deps: PlanDeps,
): Promise<PromotionPlan> {
  const places = await findPlaces(actor, order.stories, deps.database);
  const stories: PlannedStory[] = [];
  for (const [index, story] of order.stories.entries()) {
    const place = places[index];
    const planned = await planStory(actor, { story, place, overwrites: order.overwrites }, deps);
    const twin = stories.find(({ live }) => live !== undefined && live.story.id === planned.live?.story.id);
    if (twin !== undefined) planned.refusals.push(`"${twin.order.name}" becomes the same story`);
    stories.push(planned);
  }
  return { order, stories };
}

interface Asked {
  story: PromotedStory;
  place: PromotionPlace | undefined;
  overwrites: boolean;
}

async function planStory(
  actor: Actor,
  { story, place, overwrites }: Asked,
  deps: PlanDeps,
): Promise<PlannedStory> {
  const incoming = await incomingSnapshot(story.data);
  const planned: PlannedStory = {
    order: story,
    teamId: place?.teamId,
    incoming,
    state: 'new',
    live: undefined,
    missing: place === undefined ? [{ kind: 'team', name: story.team }] : place.missing,
    recordTypes: place?.recordTypes ?? [],
    refusals: [...story.problems],
    webhooks: [],
  };
  if (place?.storyId === undefined) {
    return { ...planned, webhooks: await freeWebhooks(webhooksIn(story), undefined, deps.database) };
  }
  const { record, snapshot, base } = await readLive(actor, place.storyId, deps.database);
  const { entries, rest } = story.choices;
  const choices = { entries, rest: rest?.liveVersion === record.version ? rest.side : undefined };
  const texts = { base: base?.text ?? null, live: snapshot.text, incoming };
  const merge = await deps.merger(actor.tenantId, { ...texts, choices, overwrites });
  const newName = nameAfter(record, story, base?.name);
  const isChanged = merge.count > 0 || newName !== undefined;
  return {
    ...planned,
    state: isChanged ? 'changed' : 'unchanged',
    live: { story: record, digest: snapshot.digest, merge, newName },
    refusals: [...planned.refusals, ...(isChanged ? refusalsOf(record, merge) : [])],
    webhooks: await freeWebhooks(merge.webhooks, record.id, deps.database),
  };
}

function refusalsOf({ locked, changeControlEnabled }: StoryRecord, { fault }: MergedPromotion): string[] {
  return [
    ...(fault === null ? [] : [fault]),
    ...(locked ? ['The story is locked'] : []),
    ...(changeControlEnabled
      ? ['The story is under change control: import it as a draft, and ask for its publication']
      : []),
  ];
}

async function readLive(actor: Actor, id: number, database: PlanDeps['database']) {
  return database.transaction(async (session) => {
    const record = await visibleStory(actor, id, 'write', session);
    const snapshot = await readSnapshot(id, session);
    if (snapshot === undefined) throw new NotFound('Story');
    return { record, snapshot, base: await readPromotedBase(id, session) };
  });
}

/** A story takes the name that it has in the source, unless it was given another one in the target. */
function nameAfter(
  { name }: StoryRecord,
  story: PromotedStory,
  nameBefore: string | undefined,
): string | undefined {
  return story.name !== name && nameBefore === name ? story.name : undefined;
}

function webhooksIn({ data }: PromotedStory): PromotedWebhook[] {
  return data.agents
    .filter(({ type }) => type === WEBHOOK_TYPE)
    .map(({ name, options }) => ({ action: name, path: givenAddress(options).path ?? '', isKept: false }));
}

/** A new webhook whose path another story has, or another webhook of its own one, has no path yet. */
async function freeWebhooks(
  webhooks: PromotedWebhook[],
  storyId: number | undefined,
  database: PlanDeps['database'],
): Promise<PromotedWebhook[]> {
  const wanted = webhooks.filter(({ isKept }) => !isKept).map(({ path }) => path);
  const taken = await database.read((session) => findTakenWebhookPaths(wanted, storyId, session));
  for (const { isKept, path } of webhooks) if (isKept) taken.add(path);
  return webhooks.map((webhook) =>
    !webhook.isKept && taken.has(webhook.path) ? { ...webhook, path: '' } : webhook,
  );
}
