import { createHash } from 'node:crypto';
import { type NewCommit, PushRejected } from '../../../platform/git/git-repository.js';
import { nameForFile } from '../../files/file-names.js';
import type { StoryFile } from '../../files/file-text.js';
import { findNewestVersion, type VersionRecord } from '../../versions/version-store.js';
import { compareUrl } from './compare-url.js';
import { createHeldWrite } from './held-write.js';
import { MOST_ENTRIES, storyPlaces, writtenDigest } from '../sides/story-places.js';
import { changeOf, type SyncCase, type SyncChange, type SyncDeps, type SyncRun } from './sync-types.js';
import {
  deleteSyncedStory,
  promoteBase,
  saveBase,
  saveSyncedStory,
  type SyncedStory,
} from './synced-story-store.js';

/** A story whose files are to be written into the repository. */
export interface Pushed {
  at: SyncCase;
  /** Within the folder of the repository; empty: it is deleted there. */
  files: StoryFile[];
  /** The text of its snapshot. */
  live: string | null;
  kind: SyncChange['kind'];
}

/** The digest of a story that has no files. */
const DELETED = '0'.repeat(64);
const LONGEST_SUBJECT = 200;
const LONGEST_BODY = 5_000;

/** Writes stories into a repository: a commit for each, by the person who has made its newest version. */
export function createStoryPush({ database }: SyncDeps) {
  const write = createHeldWrite(database);

  const commitOf = async (run: SyncRun, { at, files, kind }: Pushed): Promise<NewCommit> => {
    const { folder } = run.repository;
    const inFolder = (path: string) => (folder === '' ? path : `${folder}/${path}`);
    const written = new Set(files.map(({ path }) => path));
    const before = (at.place?.entries ?? []).map(({ path }) => path);
    const { story } = at;
    const version = story && (await database.read((session) => findNewestVersion(story.id, session)));
    return {
      author: authorOf(run, version),
      message: commitMessage(story?.name ?? at.row?.place ?? '', kind, version),
      files: files.map(({ path, text }) => ({ path: inFolder(path), text })),
      deleted: before.filter((path) => !written.has(path)).map(inFolder),
    };
  };

  /** Written before the push: if this process dies after it, the next sync knows what it finds. */
  const announce = async (run: SyncRun, pushed: readonly Pushed[]): Promise<void> => {
    for (const { at, files, live } of pushed) {
      const { row } = at;
      if (row === undefined) continue;
      const repositoryId = run.repository.id;
      await write(run, async (session) => {
        const next = { ...row, pushedDigest: digestOf(files), pushedCommit: null };
        await saveSyncedStory(repositoryId, next, session);
        if (live !== null)
          await saveBase({ repositoryId, storyId: row.storyId, kind: 'pushed' }, live, session);
      });
    }
  };

  const settled = async (run: SyncRun, { at, files }: Pushed): Promise<void> => {
    const { row } = at;
    if (row === undefined) return;
    const repositoryId = run.repository.id;
    await write(run, async (session) => {
      if (files.length === 0) {
        await deleteSyncedStory(repositoryId, row.storyId, session);
        return;
      }
      await promoteBase({ repositoryId, storyId: row.storyId, kind: 'pushed' }, session);
      const next: SyncedStory = {
        ...row,
        digest: digestOf(files),
        storyVersion: at.story?.version ?? null,
        pushedDigest: null,
        pushedCommit: null,
      };
      await saveSyncedStory(repositoryId, next, session);
    });
  };

  const pushDirectly = async (
    run: SyncRun,
    pushed: readonly Pushed[],
    changes: SyncChange[],
  ): Promise<void> => {
    await announce(run, pushed);
    const commits: NewCommit[] = [];
    for (const each of pushed) commits.push(await commitOf(run, each));
    const head = await run.git.commit(run.commit, commits);
    await run.git.push(head, run.repository.branch);
    changes.push(...pushed.map(({ at, kind }) => changeOf(at, { direction: 'push', kind, state: 'done' })));
    for (const each of pushed) await settled(run, each);
    run.commit = head;
  };

  /** One story, in a branch of its own. */
  const request = async (run: SyncRun, each: Pushed): Promise<SyncChange> => {
    const { at, kind, files } = each;
    const { row } = at;
    const { repository, git, branches } = run;
    const branch = requestBranch({ id: repository.id, teamName: run.teamName, place: row?.place ?? '' });
    const url = compareUrl(repository.url, repository.branch, branch);
    const change = changeOf(at, { direction: 'push', kind, state: 'waiting', compareUrl: url });
    const present = branches.get(branch);
    const isPushed = row !== undefined && row.pushedCommit !== null && row.pushedDigest === digestOf(files);
    if (isPushed && present === undefined) {
      const message = `The branch ${branch} was deleted without a merge: the next change of the story is pushed again`;
      return { ...change, state: 'held', compareUrl: null, message };
    }
    if (present !== undefined) {
      const waits = { ...change, message: `Waits in the branch ${branch}` };
      if (isPushed && present === row.pushedCommit) return waits;
      const tip = await git.tip(branch);
      const inBranch = storyPlaces(
        await git.list(tip.oid, repository.folder, MOST_ENTRIES),
        repository.folder,
      );
      if ((inBranch.find(({ stem }) => stem === row?.place)?.digest ?? DELETED) === digestOf(files))
        return waits;
      if (!tip.isOwn)
        return {
          ...change,
          state: 'conflict',
          message: `The branch ${branch} has commits of others: merge or delete it`,
        };
    }
    if (run.isTrial) return { ...change, state: 'planned', message: `In the branch ${branch}` };
    await announce(run, [each]);
    const commit = await git.commit(run.commit, [await commitOf(run, each)]);
    try {
      await git.push(commit, branch, present ?? '');
    } catch (error) {
      if (!(error instanceof PushRejected)) throw error;
      return { ...change, state: 'conflict', message: `The branch ${branch} was changed meanwhile` };
    }
    if (row !== undefined)
      await write(run, (session) =>
        saveSyncedStory(
          repository.id,
          { ...row, pushedDigest: digestOf(files), pushedCommit: commit },
          session,
        ),
      );
    return { ...change, message: `Pushed to the branch ${branch}` };
  };

  return {
    /**
     * Writes these stories into the repository, as its settings say; adds what became of each to `changes`.
     * @throws PushRejected if the branch has moved: sync again.
     */
    async push(run: SyncRun, pushed: readonly Pushed[], changes: SyncChange[]): Promise<void> {
      const { direction, way } = run.repository;
      const addAll = (state: SyncChange['state'], message: string | null) => {
        for (const { at, kind } of pushed)
          changes.push(changeOf(at, { direction: 'push', kind, state, message }));
      };
      if (pushed.length === 0) return;
      if (direction === 'pull') addAll('held', 'Changed here, and the direction is pull');
      else if (way === 'pull_request' && !run.wasEmpty)
        for (const each of pushed) changes.push(await request(run, each));
      else if (run.isTrial) addAll('planned', null);
      else await pushDirectly(run, pushed, changes);
    },
  };
}

function digestOf(files: readonly StoryFile[]): string {
  return files.length === 0 ? DELETED : writtenDigest(files);
}

const DIGEST_LETTERS = 8;

/** Names of branches have ASCII letters only, for the hosts whose pages and tools take no others. */
const branchPart = (text: string, otherwise: string) =>
  nameForFile(text, otherwise)
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '') || otherwise;

/**
 * Returns the branch of the pull request for the story at this place of a repository: names for people, and a digest that
 * tells apart equal ones.
 */
export function requestBranch({
  id,
  teamName,
  place,
}: Pick<SyncRun['repository'], 'id'> & { teamName: string; place: string }): string {
  const digest = createHash('sha256').update(`${id} ${place}`).digest('hex').slice(0, DIGEST_LETTERS);
  return `fabula/${branchPart(teamName, 'team')}/${branchPart(place, 'story')}-${digest}`;
}

function authorOf({ actor }: SyncRun, version: VersionRecord | undefined): NewCommit['author'] {
  const email = version?.userEmail ?? actor.userEmail;
  const names = [version?.userFirstName, version?.userLastName].filter((name) => name);
  const name = names.join(' ') || email;
  return { name, email, atMs: (version?.updatedAt ?? new Date()).getTime() };
}

const VERBS = { add: 'Add', change: 'Change', delete: 'Delete' };

function commitMessage(story: string, kind: SyncChange['kind'], version: VersionRecord | undefined): string {
  const named = version?.name ?? null;
  const subject = named === null ? `${VERBS[kind]} ${story}` : `${story}: ${named}`;
  const body = version?.description?.slice(0, LONGEST_BODY).trim();
  const parts = [subject.replaceAll(/\p{Cc}+/gu, ' ').slice(0, LONGEST_SUBJECT)];
  if (body) parts.push(body.replaceAll('\0', ''));
  if (version !== undefined) parts.push(`Fabula-Version: ${version.number}`);
  return `${parts.join('\n\n')}\n`;
}
