import { objectOfLines } from '../../../platform/json/json-lines.js';
import { AppError, NotFound, PreconditionFailed, Unavailable } from '../../../platform/errors.js';
import type { GitCommit } from '../../../platform/git/git-repository.js';
import type { Database } from '../../../platform/mysql/database.js';
import { retryConflicts, retryLockConflicts } from '../../../platform/mysql/commit/retry-conflicts.js';
import type { Session } from '../../../platform/mysql/session.js';
import { TaskTooLarge, TaskTooLong } from '../../../platform/threads/thread-errors.js';
import { inSlices } from '../../../platform/steps.js';
import { replaceDraftBase } from '../../drafts/draft-base-store.js';
import { createDraftPublisher } from '../../drafts/draft-publisher.js';
import { findDraft } from '../../drafts/draft-store.js';
import { writeDraft } from '../../drafts/make-draft.js';
import { conflictProblems } from '../../drafts/prepare-merge.js';
import { FILE_SIDES } from '../../merge/conflict-words.js';
import { deleteStory, updateStory } from '../../edit/story-change-store.js';
import { lockedStory } from '../../edit/story-editor.js';
import type { StoryExport } from '../../export/export-form.js';
import { importStory } from '../../import/story-import.js';
import { forgetStory } from '../../story/forget-story.js';
import { IMPORT_CHECKS } from '../../story/import-checks.js';
import { findNewestVersion, renameVersion } from '../../versions/version-store.js';
import { readSnapshot } from '../../versions/version-snapshot.js';
import { type ComparedSides, withoutReferences } from '../sides/compare-sides-task.js';
import { createHeldWrite, requireHeld } from './held-write.js';
import {
  changeOf,
  newRow,
  type SyncCase,
  type SyncChange,
  type SyncDeps,
  type SyncRun,
} from './sync-types.js';
import {
  findDraftVersion,
  promoteBase,
  saveBase,
  saveSyncedStory,
  type SyncedStory,
} from './synced-story-store.js';

/** A story whose files were changed in the repository. */
export interface Pulled {
  found: SyncCase;
  compared: ComparedSides;
  /** What both had in common; null: unknown. */
  base: string | null;
  /** Who changed the files. */
  by: GitCommit;
  /** A person must look at the draft first. Why. */
  waits: string | undefined;
}

const LONGEST_NAME = 255;

/** A draft as its writer left it has this version. */
const UNTOUCHED = 1;

/** Takes over what was changed in a repository: a story gets a draft, which is published if nothing conflicts. */
export function createStoryPull(deps: SyncDeps) {
  const { database } = deps;
  const publisher = createDraftPublisher(deps);
  const write = createHeldWrite(database);

  const importNew = async (run: SyncRun, { found, compared, by }: Pulled): Promise<SyncChange> => {
    const { place } = found;
    const { tenantId, userId } = run.actor;
    const { teamId } = run.repository;
    const change = changeOf(found, {
      direction: 'pull',
      kind: 'add',
      state: 'done',
      name: compared.head?.name ?? '',
    });
    if (run.isTrial) return { ...change, state: 'planned', message: messageOf(by) };
    const data = await dataOf(compared);
    const newName = compared.head?.name || place?.stem || '';
    const request = {
      newName,
      data: { ...data, name: newName },
      teamId,
      folderId: undefined,
      mode: 'new' as const,
    };
    // The row is written in the transaction of the import: a story is never imported twice.
    const joined: Pick<Database, 'transaction'> = {
      transaction: (work) =>
        database.transaction(async (session) => {
          await requireHeld(run, session);
          const written = await work(session);
          const { id } = (written as unknown as { story: { id: number } }).story;
          await describeImport(id, by, session);
          const snapshot = await readSnapshot(id, session);
          const row = { ...newRow(id, place?.stem ?? ''), digest: place?.digest ?? null };
          await saveSyncedStory(run.repository.id, row, session);
          await saveBase(
            { repositoryId: run.repository.id, storyId: id, kind: 'base' },
            snapshot?.text ?? '',
            session,
          );
          return written;
        }),
    };
    const home = { tenantId, teamId, folderId: undefined, userId };
    const imported = await importStory({ request, templateFaults: [] }, home, {
      ...IMPORT_CHECKS,
      database: joined,
      countQuota: deps.countQuota,
    });
    await deps.changes.announce(imported.story.id);
    return { ...change, storyId: imported.story.id, message: messageOf(by), details: imported.warnings };
  };

  /** Makes the draft. Returns what is known of the story then. */
  const makeDraft = async (run: SyncRun, pulled: Pulled): Promise<SyncedStory> => {
    const { found, compared, base, by, waits } = pulled;
    const { story, place, row } = found;
    if (story === undefined || place === undefined) throw new Error('There is nothing to pull');
    const { tenantId, userId } = run.actor;
    const data = await dataOf(compared);
    const { made, texts, removed } = await retryConflicts(() =>
      database.transaction(async (session) => {
        await requireHeld(run, session);
        const live = await lockedStory(run.actor, story.id, session);
        const removed = await deleteUntouched(row, session);
        const name = `Git ${by.oid.slice(0, 10)} ${by.subject}`.trim().slice(0, LONGEST_NAME);
        const id = await deps.countQuota.within(tenantId, session, () =>
          writeDraft(live, { data, name, tenantId, userId }, session),
        );
        if (base !== null) await replaceDraftBase({ id, storyId: story.id }, base, session);
        const next: SyncedStory = {
          ...(row ?? newRow(story.id, place.stem)),
          draftId: id,
          draftDigest: null,
          draftWaits: waits !== undefined,
        };
        await saveSyncedStory(run.repository.id, next, session);
        const [draftState, liveState] = [
          await readSnapshot(id, session),
          await readSnapshot(story.id, session),
        ];
        return {
          made: next,
          removed,
          texts: { draft: draftState?.text ?? '', live: liveState?.text ?? '', base },
        };
      }),
    );
    if (removed !== undefined) await forgetStory(removed, deps);
    const common = await deps.commonStateOf(tenantId, texts);
    const repositoryId = run.repository.id;
    // Without what both sides have in common, the draft counts for nothing: the next sync makes another one.
    const whole: SyncedStory = { ...made, draftDigest: place.digest };
    await write(run, async (session) => {
      await saveBase({ repositoryId, storyId: story.id, kind: 'draft' }, common, session);
      await saveSyncedStory(repositoryId, whole, session);
    });
    return whole;
  };

  const publish = async (run: SyncRun, pulled: Pulled, row: SyncedStory): Promise<void> => {
    const { storyId, draftId } = row;
    if (draftId === null) throw new NotFound('Draft');
    await publisher.publish(run.actor, {
      id: draftId,
      storyId,
      wish: { choices: [], overwrites: false, ignoresTests: false },
      keepsDraft: false,
      sides: FILE_SIDES,
      version: { source: 'draft', description: messageOf(pulled.by) },
      async lockedDraft(_merge, session) {
        await requireHeld(run, session);
        const draft = await findDraft({ id: draftId, tenantId: run.actor.tenantId }, session);
        if (draft === undefined) throw new NotFound('Draft');
        await promoteBase({ repositoryId: run.repository.id, storyId, kind: 'draft' }, session);
        await saveSyncedStory(run.repository.id, settled(row), session);
        return draft;
      },
      async after(live, session) {
        const name = newNameOf(pulled, live.name);
        if (name !== undefined) await updateStory(storyId, { name }, session);
      },
    });
  };

  const intoStory = async (run: SyncRun, pulled: Pulled): Promise<SyncChange> => {
    const { found, compared, waits, by } = pulled;
    const change = changeOf(found, {
      direction: 'pull',
      kind: 'change',
      state: 'done',
      message: messageOf(by),
      details: compared.warnings,
    });
    if (run.isTrial) return { ...change, ...(await preview(run, pulled, deps)) };
    const waiting =
      found.row?.draftId !== null && found.row?.draftDigest === found.place?.digest ? found.row : undefined;
    const row = waiting ?? (await makeDraft(run, pulled));
    const { draftId } = row;
    if (row.draftWaits) return { ...change, state: 'conflict', draftId, message: waits ?? WAITS };
    try {
      await publish(run, pulled, row);
    } catch (error) {
      return { ...change, state: 'conflict', draftId, ...refusalOf(error) };
    }
    return change;
  };

  return {
    /**
     * Takes over the files of one story. A conflict leaves the story as it is: its draft waits for a person.
     * @throws Conflict if another process syncs; errors of the stores.
     */
    async pull(run: SyncRun, pulled: Pulled): Promise<SyncChange> {
      const { found, compared } = pulled;
      const kind = found.story === undefined ? 'add' : 'change';
      const failed = changeOf(found, { direction: 'pull', kind, state: 'conflict' });
      if (compared.problems.length > 0 || compared.data === null)
        return { ...failed, message: 'The files are no valid story', details: compared.problems };
      try {
        return await (found.story === undefined ? importNew(run, pulled) : intoStory(run, pulled));
      } catch (error) {
        const refusal = refusalOf(error);
        await write(run, () => Promise.resolve());
        return { ...failed, ...refusal };
      }
    },
  };
}

/** Returns the new name; undefined: it is the same, or the server has given another one. */
function newNameOf({ compared, base }: Pulled, liveName: string): string | undefined {
  const name = compared.head?.name ?? '';
  if (base === null || name === '' || name === liveName) return undefined;
  const before = (JSON.parse(base) as { story: { name: string } }).story.name;
  return before === liveName ? name : undefined;
}

const WAITS = 'The draft waits: compare it, then publish or delete it';

function messageOf({ oid, authorName, authorEmail, subject }: GitCommit): string {
  return `Git commit ${oid.slice(0, 10)} by ${authorName} <${authorEmail}>: ${subject}`;
}

function settled(row: SyncedStory): SyncedStory {
  return {
    ...row,
    digest: row.draftDigest,
    storyVersion: null,
    pushedDigest: null,
    pushedCommit: null,
    draftId: null,
    draftDigest: null,
    draftWaits: false,
  };
}

/** @throws what is no refusal: a busy server is none, the next sync may find it idle. */
function refusalOf(error: unknown): Pick<SyncChange, 'message' | 'details'> {
  if (error instanceof TaskTooLong || error instanceof TaskTooLarge)
    return { message: `The story is too large to merge: ${error.message}`, details: [] };
  if (!(error instanceof AppError) || error instanceof Unavailable) throw error;
  const [first, ...others] = error.problems.map(({ message }) => message);
  return error instanceof PreconditionFailed
    ? { message: 'Both sides changed the same parts', details: others }
    : { message: first ?? error.message, details: others };
}

async function dataOf({ data }: ComparedSides): Promise<StoryExport> {
  return withoutReferences(await inSlices(objectOfLines(data ?? '{}'))) as StoryExport;
}

/** The draft of an earlier commit goes, unless a person has worked on it. Returns its id; undefined: none went. */
async function deleteUntouched(row: SyncedStory | undefined, session: Session): Promise<number | undefined> {
  const draftId = row?.draftId ?? null;
  if (row === undefined || draftId === null) return undefined;
  const version = await findDraftVersion({ draftId, storyId: row.storyId }, session);
  if (version !== UNTOUCHED) return undefined;
  await deleteStory(draftId, session);
  return draftId;
}

async function describeImport(storyId: number, by: GitCommit, session: Session): Promise<void> {
  const newest = await findNewestVersion(storyId, session);
  if (newest !== undefined) await renameVersion(newest.id, { description: messageOf(by) }, session);
}

/** Leaves nothing of a transaction but what was read. */
class OnlyRead extends Error {
  constructor(readonly texts: { live: string; draft: string }) {
    super('nothing is written');
  }
}

/** Merges as a pull would, and writes nothing. */
async function preview(
  run: SyncRun,
  { found, compared, base, waits }: Pulled,
  { database, merger }: SyncDeps,
): Promise<Partial<SyncChange>> {
  if (waits !== undefined) return { state: 'conflict', message: waits };
  const { story } = found;
  if (story === undefined) return { state: 'planned' };
  const { tenantId, userId } = run.actor;
  const data = await dataOf(compared);
  const texts = await retryLockConflicts(() =>
    database.transaction(async (session): Promise<OnlyRead['texts']> => {
      const live = await lockedStory(run.actor, story.id, session);
      const id = await writeDraft(live, { data, name: 'Preview', tenantId, userId }, session);
      const [draft, before] = [await readSnapshot(id, session), await readSnapshot(story.id, session)];
      throw new OnlyRead({ live: before?.text ?? '', draft: draft?.text ?? '' });
    }),
  ).catch((error: unknown) => {
    if (error instanceof OnlyRead) return error.texts;
    throw error;
  });
  const merged = await merger(tenantId, { base, ...texts, choices: [], overwrites: false });
  if (merged.conflictCount > 0)
    return { state: 'conflict', ...refusalOf(conflictProblems(merged, FILE_SIDES)) };
  return merged.fault === null ? { state: 'planned' } : { state: 'conflict', message: merged.fault };
}
