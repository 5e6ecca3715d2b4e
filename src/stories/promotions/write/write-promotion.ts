import type { Actor } from '../../../api/face.js';
import { makeRecordTypes } from '../../../data/face.js';
import type { CountQuota } from '../../../people/face.js';
import { NotFound } from '../../../platform/errors.js';
import type { Session } from '../../../platform/mysql/session.js';
import { updateStory } from '../../edit/story-change-store.js';
import type { ChangeStory } from '../../edit/story-editor.js';
import type { StoryExport } from '../../export/export-form.js';
import type { StoredStory } from '../../export/story-export-store.js';
import { givenAddress, WEBHOOK_TYPE } from '../../import/import-address.js';
import { givenGuid } from '../../import/plan/given-guid.js';
import { planStory } from '../../import/plan/plan-story.js';
import { requiredRecordTypes } from '../../import/plan/required-record-types.js';
import {
  findStoryNames,
  findTakenGuids,
  findTakenWebhookPaths,
  lockTeam,
} from '../../import/story-import-store.js';
import { readMerged } from '../../merge/story-merger.js';
import { writeStory } from '../../story/story-write-store.js';
import { keepVersion } from '../../versions/keep-version.js';
import { restoreState } from '../../versions/restore-version.js';
import { packSnapshot, readSnapshot } from '../../versions/version-snapshot.js';
import { findNewestVersion } from '../../versions/version-store.js';
import { withPairs } from '../plan/continued-actions.js';
import type { LiveState, PlannedStory, PromotionPlan } from '../plan/plan-promotion.js';
import type { PromotionOrder } from '../plan/read-promotion.js';
import { insertPromotion, type NewPromotion } from '../promotion-store.js';

/** A promotion that is ready to be written: all that needs no lock is done. */
export interface PreparedPromotion {
  order: PromotionOrder;
  stories: PreparedStory[];
}

interface PreparedStory extends Omit<PlannedStory, 'incoming'> {
  teamId: number;
  /** The story as it comes, compressed. */
  packed: Buffer;
  /** What a story that changes becomes. */
  merged: StoredStory | undefined;
}

/** Reads what will be written, and packs what will be kept, before any story is locked. */
export async function preparePromotion({ order, stories }: PromotionPlan): Promise<PreparedPromotion> {
  const prepared: PreparedStory[] = [];
  for (const { incoming, teamId = 0, ...story } of stories) {
    const merged =
      story.live !== undefined && story.state === 'changed'
        ? await readMerged(story.live.merge.story)
        : undefined;
    const text = withPairs(incoming, story.live?.merge.continued ?? []);
    prepared.push({ ...story, teamId, packed: await packSnapshot(text), merged });
  }
  return { order, stories: prepared };
}

/** The tenant was changed after the promotion was planned. */
export class TargetMoved extends Error {}

/** A promotion that was written. */
export interface WrittenPromotion {
  id: number;
  /** The stories that it made: nobody was told of them. */
  newIds: number[];
  warnings: string[];
}

interface WriteDeps {
  session: Session;
  change: ChangeStory;
  countQuota: CountQuota;
}

type WrittenStory = NewPromotion['stories'][number];

/**
 * Writes a promotion that nothing refuses, in the caller's transaction: first what exists, by id.
 * @throws TargetMoved; NotFound for a team that is gone; Conflict as `StoryEditor.edit`; QuotaReached.
 */
export async function writePromotion(
  actor: Actor,
  { order, stories }: PreparedPromotion,
  { session, change, countQuota }: WriteDeps,
): Promise<WrittenPromotion> {
  const { tenantId, userId } = actor;
  const warnings: string[] = [];
  return countQuota.within(tenantId, session, async () => {
    const teamIds = [...new Set(stories.map(({ teamId }) => teamId))].toSorted((a, b) => a - b);
    for (const teamId of teamIds) {
      if (!(await lockTeam(teamId, tenantId, session))) throw new NotFound('Team');
    }
    // Before any is written: a bundle may have two stories of one name.
    for (const teamId of teamIds) {
      const fresh = stories.filter((story) => story.teamId === teamId && story.live === undefined);
      const names = fresh.map(({ order: { name } }) => name);
      if ((await findStoryNames(teamId, names, session)).size > 0) throw new TargetMoved();
    }
    for (const teamId of teamIds) {
      const forms = stories.filter((story) => story.teamId === teamId).map((story) => story.order.data);
      const records = requiredRecordTypes(forms);
      warnings.push(
        ...records.warnings,
        ...(await makeRecordTypes(records.types, { tenantId, teamId }, session)),
      );
    }
    const written = new Map<PreparedStory, WrittenStory>();
    const byId = stories.toSorted(
      (one, other) => (one.live?.story.id ?? Infinity) - (other.live?.story.id ?? Infinity),
    );
    const newIds: number[] = [];
    for (const story of byId) {
      const writing = { name: order.name, tenantId, userId, change, session, warnings };
      const row =
        story.live === undefined
          ? await writeNew(story, writing)
          : await writeLive({ ...story, live: story.live }, writing);
      if (story.live === undefined) newIds.push(row.storyId);
      written.set(story, row);
    }
    const id = await insertPromotion(
      {
        tenantId,
        userId,
        name: order.name,
        source: JSON.stringify(order.source),
        mapping: JSON.stringify(order.mapping),
        reason: order.reason,
        stories: stories.flatMap((story) => written.get(story) ?? []),
      },
      session,
    );
    return { id, newIds, warnings };
  });
}

interface Writing extends Pick<WriteDeps, 'session' | 'change'> {
  /** Of the promotion. */
  name: string;
  tenantId: number;
  userId: number;
  warnings: string[];
}

/** Only a story that changes is locked; one that stays must still be what was compared. */
async function writeLive(
  planned: PreparedStory & { live: LiveState },
  { name, tenantId, change, session, warnings }: Writing,
): Promise<WrittenStory> {
  const { live, merged } = planned;
  const storyId = live.story.id;
  if (merged === undefined) {
    await requireUnmoved(live, session);
    return rowOf(planned, { storyId, versionBefore: null, versionAfter: null, digestAfter: live.digest });
  }
  const { versionBefore, told } = await change({
    storyId,
    part: 'graph',
    version: { source: 'promotion', name },
    async work(story, { warnings: told }) {
      await requireUnmoved(live, session);
      const before = await findNewestVersion(storyId, session);
      told.push(...(await restoreState({ story, tenantId }, merged, session)));
      await updateStory(storyId, { name: live.newName }, session);
      return { versionBefore: before?.id ?? null, told };
    },
  });
  warnings.push(...told);
  return rowOf(planned, { storyId, versionBefore, ...(await stateAfter(storyId, session)) });
}

async function requireUnmoved({ story, digest }: LiveState, session: Session): Promise<void> {
  if ((await readSnapshot(story.id, session))?.digest !== digest) throw new TargetMoved();
}

async function writeNew(
  planned: PreparedStory,
  { name, tenantId, userId, session, warnings }: Writing,
): Promise<WrittenStory> {
  const { order, teamId } = planned;
  const { data } = order;
  const guids = data.agents.flatMap(({ guid }) => (typeof guid === 'string' ? [guid] : []));
  const plan = await planStory(
    data,
    { name: order.name, replaced: undefined, subStories: [] },
    {
      newGuid: givenGuid(await findTakenGuids(guids, session)),
      taken: await findTakenWebhookPaths(pathsOf(data), undefined, session),
      warnings,
    },
  );
  const storyId = await writeStory(plan, { tenantId, teamId, userId, folderId: undefined }, session);
  await keepVersion({ storyId, userId, source: 'promotion', name }, session);
  return rowOf(planned, { storyId, versionBefore: null, ...(await stateAfter(storyId, session)) });
}

async function stateAfter(storyId: number, session: Session) {
  const newest = await findNewestVersion(storyId, session);
  if (newest === undefined) throw new Error(`Story ${storyId} has no version after its promotion`);
  return { versionAfter: newest.id, digestAfter: newest.digest };
}

function rowOf(
  { teamId, order, state, packed }: PreparedStory,
  written: Pick<WrittenStory, 'storyId' | 'versionBefore' | 'versionAfter' | 'digestAfter'>,
): WrittenStory {
  return { ...written, teamId, sourceGuid: order.sourceGuid, name: order.name, state, packed };
}

function pathsOf({ agents }: StoryExport): string[] {
  return agents
    .filter(({ type }) => type === WEBHOOK_TYPE)
    .flatMap(({ options }) => givenAddress(options).path ?? []);
}
