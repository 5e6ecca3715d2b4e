import type { GitCommit } from '../../../platform/git/git-repository.js';
import { retryLockConflicts } from '../../../platform/mysql/commit/retry-conflicts.js';
import { stemOfStory } from '../../files/story-files.js';
import { readSnapshot } from '../../versions/version-snapshot.js';
import type { TeamRepository } from '../repository-store.js';
import type { ComparedSides } from '../sides/compare-sides-task.js';
import { createHeldWrite } from './held-write.js';
import { isSynced } from './is-settled.js';
import { createStoryPull } from './synced-story-pull.js';
import { createStoryPush, type Pushed } from './push-stories.js';
import { paired } from '../sides/pair-sides.js';
import { createPlaceHeads, filesOf } from '../sides/place-heads.js';
import { formOf, MOST_ENTRIES, storyPlaces, writtenDigest } from '../sides/story-places.js';
import {
  changeOf,
  changesIn,
  newRow,
  type SyncCase,
  type SyncChange,
  type SyncDeps,
  type SyncRun,
} from './sync-types.js';
import {
  deleteSyncedStory,
  findDraftVersion,
  findSyncedStory,
  findTeamStory,
  listSyncedStories,
  listTeamStories,
  promoteBase,
  readBase,
  saveBase,
  saveSyncedStory,
  type SyncedStory,
} from './synced-story-store.js';

/** What comparing one story has found. */
interface Found {
  /** The story with what is known of it now. */
  at: SyncCase;
  compared?: ComparedSides;
  /** The text of a snapshot. */
  live: string | null;
  base: string | null;
  /** `same`: nothing is to be done. */
  is: 'same' | 'changed there' | 'changed here';
}

/** Stories, and characters of their contents, that are pushed together. */
const MOST_OF_PART = 50;
const LARGEST_PART = 8 * 1024 * 1024;

/** Compares the stories of a team with the files of a commit, and brings the changes of each side to the other. */
export function createStorySync(deps: SyncDeps) {
  const { database, comparer } = deps;
  const puller = createStoryPull(deps);
  const pusher = createStoryPush(deps);
  const write = createHeldWrite(database);
  const headsOf = createPlaceHeads(deps);

  const save = async (run: SyncRun, row: SyncedStory, content?: string): Promise<void> => {
    if (run.isTrial) return;
    const { id: repositoryId } = run.repository;
    await write(run, async (session) => {
      await saveSyncedStory(repositoryId, row, session);
      if (content !== undefined)
        await saveBase({ repositoryId, storyId: row.storyId, kind: 'base' }, content, session);
    });
  };

  /** What was pushed or decided meanwhile becomes what both sides have in common. */
  const settle = async (run: SyncRun, found: SyncCase): Promise<SyncCase> => {
    const { row, place } = found;
    if (row === undefined) return found;
    const promoted = async (kind: 'pushed' | 'draft', next: SyncedStory): Promise<SyncCase> => {
      if (run.isTrial) return { ...found, row: next, baseKind: kind };
      await write(run, async (session) => {
        await promoteBase({ repositoryId: run.repository.id, storyId: row.storyId, kind }, session);
        await saveSyncedStory(run.repository.id, next, session);
      });
      return { ...found, row: next, baseKind: 'base' };
    };
    const { draftId, storyId } = row;
    if (draftId !== null) {
      const version = await database.read((session) => findDraftVersion({ draftId, storyId }, session));
      const none = { draftId: null, draftDigest: null, draftWaits: false };
      // A person has published or deleted it: the files are known here, and what is here now is the answer.
      if (version === undefined && row.draftDigest !== null)
        return promoted('draft', { ...row, ...none, digest: row.draftDigest, storyVersion: null });
      if (version === undefined) {
        await save(run, { ...row, ...none });
        return { ...found, row: { ...row, ...none } };
      }
    }
    if (place === undefined || place.digest !== row.pushedDigest || row.digest === row.pushedDigest)
      return found;
    const none = { pushedDigest: null, pushedCommit: null };
    return promoted('pushed', { ...row, ...none, digest: place.digest, storyVersion: null });
  };

  const liveState = (storyId: number) =>
    retryLockConflicts(() =>
      database.transaction(async (session) => {
        // The snapshot locks the story, so the version is that of its content.
        const snapshot = await readSnapshot(storyId, session);
        const story = await findTeamStory(storyId, session);
        return snapshot && story && { text: snapshot.text, version: story.version };
      }),
    );

  const compare = async (run: SyncRun, given: SyncCase, stem: string): Promise<Found> => {
    const at = await settle(run, given);
    const { story, row, place, baseKind } = at;
    const isChangedThere = place !== undefined && place.digest !== row?.digest;
    const isSame = story !== undefined && row !== undefined && row.storyVersion === story.version;
    const isRestored = place === undefined && run.restoresDeleted;
    if (!isChangedThere && isSame && row.digest !== null && !isRestored)
      return { at, live: null, base: null, is: 'same' };
    const state = story && (await liveState(story.id));
    const live = state?.text ?? null;
    const repositoryId = run.repository.id;
    const base = !isKnown(row)
      ? null
      : await database.read((session) =>
          readBase({ repositoryId, storyId: row.storyId, kind: baseKind }, session),
        );
    const { tenantId } = run.repository;
    const { layout, format } = formOf(place) ?? run.repository;
    const form = { layout, format, stem };
    const read = isChangedThere && place.problem === undefined ? await filesOf(run, place) : undefined;
    const problem = place?.problem ?? read?.problem;
    if (isChangedThere && problem !== undefined) {
      const compared = await comparer(tenantId, { live, base, files: null, form });
      return { at, live, base, is: 'changed there', compared: { ...compared, problems: [problem] } };
    }
    const compared = await comparer(tenantId, { live, base, files: read?.files ?? null, form });
    const now = state && story && { ...at, story: { ...story, version: state.version } };
    const found = { at: now ?? at, live, base, compared };
    if (isChangedThere && !compared.isSame) return { ...found, is: 'changed there' };
    if (compared.problems.length > 0) return { ...found, is: 'changed here' };
    const isEqual =
      isChangedThere || !compared.isChangedHere || writtenDigest(compared.written) === place?.digest;
    if (!isEqual || story === undefined || (!isKnown(row) && place === undefined))
      return { ...found, is: 'changed here' };
    // Both have the same: it is what they have in common from now on.
    const next: SyncedStory = {
      ...(row ?? newRow(story.id, stem)),
      digest: place?.digest ?? row?.digest ?? null,
      storyVersion: state?.version ?? null,
      pushedDigest: null,
      pushedCommit: null,
    };
    await save(run, next, compared.isChangedHere || isChangedThere ? (live ?? undefined) : undefined);
    return { ...found, at: { ...found.at, row: next }, is: 'same' };
  };

  const pullOne = async (run: SyncRun, found: Found): Promise<SyncChange> => {
    const { at, compared, base } = found;
    if (compared === undefined || at.place === undefined) throw new Error('There is nothing to pull');
    const { direction, folder } = run.repository;
    const kind = at.story === undefined ? 'add' : 'change';
    if (direction === 'push' && compared.problems.length === 0) {
      const state = at.story === undefined ? 'held' : 'conflict';
      const message =
        at.story === undefined
          ? 'The files are no story of the team, and the direction is push'
          : 'The files were changed in the repository, and the direction is push';
      return changeOf(at, {
        direction: 'pull',
        kind,
        state,
        message,
        name: at.story?.name ?? compared.head?.name ?? at.place.stem,
      });
    }
    const paths = at.place.entries.map(({ path }) => (folder === '' ? path : `${folder}/${path}`));
    const by: GitCommit = await run.git.lastChange(run.commit ?? '', paths);
    return puller.pull(run, { found: at, compared, base, by, waits: waitsFor(run, at) });
  };

  /** One story that both, or one of them, has. */
  const syncOne = async (run: SyncRun, given: SyncCase, stem: string) => {
    const done: SyncChange[] = [];
    let found = await compare(run, given, stem);
    const { row, place, story } = found.at;
    if (story === undefined) return { done, push: undefined };
    if (place === undefined && row !== undefined && row.digest !== null && !run.restoresDeleted) {
      const message =
        'The files were deleted in the repository; the story stays. Delete it here, or sync with restore_deleted to write the files again';
      done.push(changeOf(found.at, { direction: 'pull', kind: 'delete', state: 'held', message }));
      return { done, push: undefined };
    }
    if (found.is === 'changed there') {
      if (found.compared?.isOther === true && !isKnown(row)) return { done, push: undefined };
      const change = await pullOne(run, found);
      done.push(change);
      if (change.state === 'conflict') return { done, push: undefined };
      if (run.isTrial) return { done, push: found.compared?.isChangedHere === true ? found : undefined };
      const { id } = story;
      const now = await database.read(async (session) => ({
        row: await findSyncedStory(run.repository.id, id, session),
        story: await findTeamStory(id, session),
      }));
      found = await compare(run, { ...found.at, baseKind: 'base', ...now }, stem);
    }
    const details = found.compared?.problems ?? [];
    if (details.length > 0) {
      const kind = place === undefined ? 'add' : 'change';
      const message = 'The story cannot be written as files';
      done.push(changeOf(found.at, { direction: 'push', kind, state: 'conflict', message, details }));
      return { done, push: undefined };
    }
    const isRestored = place === undefined && isKnown(row);
    return { done, push: found.is === 'changed here' || isRestored ? found : undefined };
  };

  /** A story that the team has no longer. */
  const syncGone = async (run: SyncRun, given: SyncCase) => {
    const at = await settle(run, { ...given, row: given.row && { ...given.row, draftId: null } });
    const { row, place } = at;
    if (row === undefined) return { done: [], push: undefined };
    if (place === undefined) {
      if (!run.isTrial)
        await write(run, (session) => deleteSyncedStory(run.repository.id, row.storyId, session));
      return { done: [], push: undefined };
    }
    if (place.digest !== row.digest) {
      const message =
        'The story was deleted here, and its files were changed in the repository: delete them there, or rename them to import them';
      return {
        done: [changeOf(at, { direction: 'push', kind: 'delete', state: 'conflict', message })],
        push: undefined,
      };
    }
    return { done: [], push: at };
  };

  /** Brings the changes of one story to the other side; returns what is to be pushed. */
  const syncCase = async (
    run: SyncRun,
    at: SyncCase,
    { changes, taken }: Progress,
  ): Promise<Pushed | undefined> => {
    const { story, held } = at;
    if (held !== undefined) {
      changes.push(changeOf(at, { direction: 'pull', kind: 'add', state: 'held', message: held }));
      return undefined;
    }
    if (story === undefined && at.row === undefined) {
      const found = await compare(run, at, at.place?.stem ?? '');
      if (found.compared?.isOther !== true) changes.push(await pullOne(run, found));
      return undefined;
    }
    if (story === undefined) {
      const { done, push: gone } = await syncGone(run, at);
      changes.push(...done);
      return gone && { at: gone, files: [], live: null, kind: 'delete' };
    }
    const stem = at.row?.place ?? at.place?.stem ?? freeStem(story, taken);
    const { done, push: found } = await syncOne(run, at, stem);
    changes.push(...done);
    if (found?.compared === undefined) return undefined;
    const kind = found.at.place === undefined ? 'add' : 'change';
    const row = found.at.row ?? newRow(story.id, stem);
    return { at: { ...found.at, row }, files: found.compared.written, live: found.live, kind };
  };

  return {
    /**
     * Brings the changes of each side to the other, in parts: so many stories are kept in memory, and pushed together. Each
     * change is added to `changes` when it is made, so that an error later loses none. Returns how many stories are left for
     * the next sync.
     * @throws PushRejected if the branch has moved: sync again.
     */
    async sync(run: SyncRun, changes: SyncChange[]): Promise<number> {
      const { repository } = run;
      const entries =
        run.commit === undefined ? [] : await run.git.list(run.commit, repository.folder, MOST_ENTRIES);
      const places = new Map(storyPlaces(entries, repository.folder).map((place) => [place.stem, place]));
      const stories = await database.read((session) => listTeamStories(repository.teamId, session));
      const rows = await database.read((session) => listSyncedStories(repository.id, session));
      const sides = await paired(run, { stories, rows, places }, { database, headsOf });
      if (sides.unread > 0) return sides.unread + stories.length;
      const cases = leftOf(sides.cases, run);
      const taken = new Set(
        [...places.keys(), ...rows.map(({ place }) => place)].map((stem) => stem.toLowerCase()),
      );
      let part: Pushed[] = [];
      for (const [index, at] of cases.entries()) {
        if (index > 0 && run.isOver()) {
          await pusher.push(run, part, changes);
          return cases.length - index;
        }
        const pushed = await syncCase(run, at, { changes, taken });
        if (pushed === undefined) continue;
        part.push(pushed);
        if (!isFull(part)) continue;
        await pusher.push(run, part, changes);
        part = [];
      }
      await pusher.push(run, part, changes);
      return 0;
    },
  };
}

interface Progress {
  changes: SyncChange[];
  /** Places that no further story can have. */
  taken: Set<string>;
}

/**
 * Returns the stories that are to be looked at: what both sides have in common needs no look. A sync that goes on leaves out
 * those whose state the last one has told; one that begins again at another commit comes to them last.
 */
export function leftOf(
  cases: readonly SyncCase[],
  {
    goesOn,
    repository,
  }: Pick<SyncRun, 'goesOn'> & { repository: Pick<TeamRepository, 'left' | 'lastReport'> },
): SyncCase[] {
  const open = cases.filter((at) => !isInCommon(at));
  if (repository.left === 0) return open;
  const undone = changesIn(repository).filter(({ state }) => state !== 'done');
  const told = new Set(undone.map(({ storyId, place }) => storyId ?? place));
  const isTold = ({ story, row, place }: SyncCase) => told.has(story?.id ?? row?.place ?? place?.stem ?? '');
  const others = open.filter((at) => !isTold(at));
  return goesOn ? others : [...others, ...open.filter(isTold)];
}

function isInCommon({ story, row, place }: SyncCase): boolean {
  return story !== undefined && place !== undefined && place.digest === row?.digest && isSynced(story, row);
}

function isFull(part: readonly Pushed[]): boolean {
  const characters = part.reduce(
    (sum, { live, files }) =>
      sum + (live?.length ?? 0) + files.reduce((all, { text }) => all + text.length, 0),
    0,
  );
  return part.length >= MOST_OF_PART || characters >= LARGEST_PART;
}

/** Why a person must look at changes of the repository before they count. */
function waitsFor(run: SyncRun, { row }: SyncCase): string | undefined {
  if (!isKnown(row))
    return 'The story and its files differ, and were never synced: compare the draft, then publish or delete it';
  if (run.isRewritten)
    return 'The branch was rewritten since the last sync: compare the draft, then publish or delete it';
  return undefined;
}

const isKnown = (row: SyncedStory | undefined): row is SyncedStory =>
  row !== undefined && row.digest !== null;

function freeStem(story: { id: number; name: string }, taken: Set<string>): string {
  const plain = stemOfStory({ name: story.name });
  const stem = taken.has(plain.toLowerCase()) ? `${plain}-${story.id}` : plain;
  taken.add(stem.toLowerCase());
  return stem;
}
