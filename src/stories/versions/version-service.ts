import { type Actor, canWrite } from '../../api/face.js';
import type { CountQuota } from '../../people/face.js';
import { NotFound } from '../../platform/errors.js';
import type { JsonObject } from '../../platform/json.js';
import type { Database } from '../../platform/mysql/database.js';
import type { WalkPage, WalkWindow } from '../../platform/mysql/statements/newest-page.js';
import { retryLockConflicts } from '../../platform/mysql/commit/retry-conflicts.js';
import type { Session } from '../../platform/mysql/session.js';
import type { StoryDiff, StoryDiffer } from '../diff/story-differ.js';
import { exportEarlier } from '../export/export.js';
import { exportWithoutSecrets } from '../agents/hidden-options.js';
import type { DiffOrder } from '../diff/story-diff-task.js';
import { forgetLaterBase, readDraftBase } from '../drafts/draft-base-store.js';
import { findDraft } from '../drafts/draft-store.js';
import { createStoryEditor, lockedStory } from '../edit/story-editor.js';
import type { StoryChanges } from '../edit/story-changes.js';
import type { StoryRecord } from '../story/story-store.js';
import { visibleStory } from '../story/visible-story.js';
import { keepVersion, requireRoomForName } from './keep-version.js';
import { restoreState } from './restore-version.js';
import type { SnapshotReader } from './snapshot-reader.js';
import { readSnapshot, unpackSnapshot } from './version-snapshot.js';
import {
  deleteVersions,
  findNewestVersion,
  findVersion,
  listVersions,
  readVersionBytes,
  renameVersion,
  type VersionRecord,
} from './version-store.js';

/** Name and description of a version; undefined ones stay, null removes one. */
export interface VersionNames {
  name?: string | null | undefined;
  description?: string | null | undefined;
}

/** The version of a story that a path names. */
export interface VersionPlace {
  id: number;
  version_id: number;
}

/** What a version is compared with: a version of the same story, its present state (the default), or a draft of it. */
export interface OtherState {
  version?: number | 'live' | undefined;
  draftId?: number | undefined;
}

export interface VersionServiceDeps {
  database: Pick<Database, 'read' | 'transaction'>;
  changes: StoryChanges;
  countQuota: CountQuota;
  differ: StoryDiffer;
  read: SnapshotReader;
}

export type VersionService = ReturnType<typeof createVersionService>;

/** Versions of stories, with checks of what the actor may see and change (spec §3.11). */
export function createVersionService({ database, changes, countQuota, differ, read }: VersionServiceDeps) {
  const editor = createStoryEditor({ database, changes });

  /** Runs `work` on a version whose story is locked. */
  const change = <Result>(
    actor: Actor,
    { id, version_id }: VersionPlace,
    work: (version: VersionRecord, session: Session) => Promise<Result>,
  ): Promise<Result> =>
    retryLockConflicts(() =>
      database.transaction(async (session) => {
        await lockedStory(actor, id, session);
        return work(await knownVersion({ storyId: id, id: version_id }, session), session);
      }),
    );

  return {
    /** Returns a page of the story's versions, newest first. @throws NotFound for a story that the actor may not see. */
    list: (actor: Actor, storyId: number, window: WalkWindow): Promise<WalkPage<VersionRecord>> =>
      database.read(async (session) => {
        await visibleStory(actor, storyId, 'read', session);
        return listVersions(storyId, window, session);
      }),

    /** Returns a version with its export (`forFiles`: as in `exportStory`), without secrets unless the actor may write. @throws NotFound */
    async get(
      actor: Actor,
      place: VersionPlace,
      forFiles = false,
    ): Promise<{ version: VersionRecord; exported: JsonObject }> {
      const { story, version, bytes } = await database.read((session) => readVersion(actor, place, session));
      const stored = await read(actor.tenantId, await unpackSnapshot(bytes));
      const at = { guid: story.guid, teamId: story.teamId, at: version.updatedAt, forFiles };
      const exported = await database.transaction((session) => exportEarlier(stored, at, session));
      const mayWrite = canWrite(actor, story.teamId);
      return { version, exported: mayWrite ? exported : await exportWithoutSecrets(exported) };
    },

    /** @throws NotFound or Forbidden for a story that the actor may not change. */
    checkStory: (actor: Actor, storyId: number): Promise<void> =>
      database.read(async (session) => {
        await visibleStory(actor, storyId, 'write', session);
      }),

    /** @throws NotFound or Forbidden as `update`. */
    check: (actor: Actor, { id, version_id }: VersionPlace): Promise<void> =>
      database.read(async (session) => {
        await visibleStory(actor, id, 'write', session);
        await knownVersion({ storyId: id, id: version_id }, session);
      }),

    /**
     * Keeps the story's present state as a version with these names; one that holds it already and has no name is
     * given them. @throws Conflict for more named versions than are kept.
     */
    create: (actor: Actor, storyId: number, names: VersionNames): Promise<VersionRecord> =>
      retryLockConflicts(() =>
        database.transaction(async (session) => {
          await lockedStory(actor, storyId, session);
          const [name, description] = [names.name ?? undefined, names.description ?? undefined];
          if (name !== undefined) await requireRoomForName(storyId, session);
          const kept = { storyId, userId: actor.userId, source: 'edit' as const, name, description };
          return knownVersion({ storyId, id: await keepVersion(kept, session) }, session);
        }),
      ),

    /** @throws NotFound or Forbidden for what the actor may not change; Conflict as `create`. */
    update: (actor: Actor, place: VersionPlace, names: VersionNames): Promise<VersionRecord> =>
      change(actor, place, async (version, session) => {
        const isNew = version.name === null && names.name !== undefined && names.name !== null;
        if (isNew) await requireRoomForName(place.id, session);
        await renameVersion(version.id, names, session);
        return knownVersion({ storyId: place.id, id: version.id }, session);
      }),

    /** Deletes a version; the story stays as it is. @throws NotFound or Forbidden as `update`. */
    delete: (actor: Actor, place: VersionPlace): Promise<void> =>
      change(actor, place, (version, session) => deleteVersions([version.id], session)),

    /** Compares a version with another state. @throws NotFound for a version or draft that the story does not have. */
    async diff(actor: Actor, place: VersionPlace, other: OtherState): Promise<StoryDiff> {
      const { story, bytes, after } = await database.read(async (session) => ({
        ...(await readVersion(actor, place, session)),
        after: await readOther(actor, place.id, other, session),
      }));
      const order = { before: await unpackSnapshot(bytes), hideSecrets: !canWrite(actor, story.teamId) };
      return differ(actor.tenantId, { ...order, ...(await after()) });
    },

    /** Makes an earlier version the story's present state. @throws as `StoryEditor.edit`; QuotaReached for schedules. */
    async restore(
      actor: Actor,
      place: VersionPlace,
    ): Promise<{ version: VersionRecord; warnings: string[] }> {
      const { version, bytes } = await database.read((session) => readVersion(actor, place, session));
      const { tenantId } = actor;
      const earlier = await read(tenantId, await unpackSnapshot(bytes));
      const warnings = await editor.edit(actor, {
        storyId: place.id,
        part: 'graph',
        version: { source: 'restore' },
        async work(story, { session, warnings: told }) {
          if (story.draftOf !== null) await forgetLaterBase(story.id, version.createdAt, session);
          const restored = await countQuota.within(tenantId, session, () =>
            restoreState({ story, tenantId }, earlier, session),
          );
          told.push(...restored);
          return told;
        },
      });
      const newest = await database.read((session) => findNewestVersion(place.id, session));
      return { version: newest ?? version, warnings };
    },
  };
}

type ReadState = Pick<DiffOrder, 'after' | 'draftOf'>;

/** Reads what a version is compared with; unpacking it does not need the session. */
async function readOther(
  actor: Actor,
  storyId: number,
  { version = 'live', draftId }: OtherState,
  session: Session,
): Promise<() => Promise<ReadState>> {
  if (draftId !== undefined) {
    const draft = await findDraft({ id: draftId, tenantId: actor.tenantId }, session);
    if (draft?.storyId !== storyId) throw new NotFound('Draft');
    const base = (await readDraftBase(draft, session)) ?? null;
    const [after, live] = [await presentText(draftId, session), await presentText(storyId, session)];
    return () => Promise.resolve({ after, draftOf: { live, base } });
  }
  if (version === 'live') {
    const after = await presentText(storyId, session);
    return () => Promise.resolve({ after });
  }
  const { id } = await knownVersion({ storyId, id: version }, session);
  const bytes = await readVersionBytes(id, session);
  return async () => ({ after: await unpackSnapshot(bytes) });
}

async function presentText(storyId: number, session: Session): Promise<string> {
  const found = await readSnapshot(storyId, session);
  if (found === undefined) throw new NotFound('Story');
  return found.text;
}

async function readVersion(actor: Actor, { id, version_id }: VersionPlace, session: Session) {
  const story: StoryRecord = await visibleStory(actor, id, 'read', session);
  const version = await knownVersion({ storyId: id, id: version_id }, session);
  return { story, version, bytes: await readVersionBytes(version.id, session) };
}

async function knownVersion(
  place: { storyId: number; id: number },
  session: Session,
): Promise<VersionRecord> {
  const version = await findVersion(place, session);
  if (version === undefined) throw new NotFound('Version');
  return version;
}
