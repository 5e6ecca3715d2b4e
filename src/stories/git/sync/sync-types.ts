import type { Actor } from '../../../api/face.js';
import type { CountQuota } from '../../../people/face.js';
import type { GitRepository } from '../../../platform/git/git-repository.js';
import type { Database } from '../../../platform/mysql/database.js';
import type { StoryChanges } from '../../edit/story-changes.js';
import type { JudgeStory } from '../../tests/test-gate.js';
import type { StoryMerger } from '../../merge/story-merger.js';
import type { CommonStates } from '../sides/common-states.js';
import type { TeamRepository } from '../repository-store.js';
import type { SideComparer } from '../sides/side-comparer.js';
import type { StoryPlace } from '../sides/story-places.js';
import type { BaseKind, SyncedStory, TeamStory } from './synced-story-store.js';

/**
 * What became of a change. `planned`: a dry run; `conflict`: a person must decide; `waiting`: for the merge of its pull request;
 * `held`: nothing was done, and the message says why.
 */
export type ChangeState = 'planned' | 'done' | 'conflict' | 'waiting' | 'held';

/** One change of a sync. */
export interface SyncChange {
  direction: 'pull' | 'push';
  kind: 'add' | 'change' | 'delete';
  state: ChangeState;
  /** Null: the server has no such story yet. */
  storyId: number | null;
  name: string;
  /** The path of its file or folder, without an ending. */
  place: string;
  message: string | null;
  /** The conflicts, or the faults of the files. */
  details: string[];
  /** The draft that waits for a person. */
  draftId: number | null;
  /** The page where the pull request is made or seen. */
  compareUrl: string | null;
}

export interface SyncDeps {
  database: Database;
  changes: StoryChanges;
  countQuota: CountQuota;
  merger: StoryMerger;
  /** Runs the tests of a story that is published. */
  judge: JudgeStory;
  comparer: SideComparer;
  commonStateOf: CommonStates;
}

/** One sync that is under way. */
export interface SyncRun {
  repository: TeamRepository;
  teamName: string;
  actor: Actor;
  holder: string;
  /** Nothing is written, neither here nor there. */
  isTrial: boolean;
  /** Stories that were deleted in the repository are written again. */
  restoresDeleted: boolean;
  git: GitRepository;
  /** The commit of the branch; undefined: the repository is empty. */
  commit: string | undefined;
  /** The repository was empty when the sync began. */
  wasEmpty: boolean;
  /** The last sync has left stories at this commit of the branch: only those are looked at. */
  goesOn: boolean;
  /** The branch does not come from the commit that was synced last. */
  isRewritten: boolean;
  branches: ReadonlyMap<string, string>;
  /** Whether the time of a sync is over: what is left is for the next one. */
  isOver(): boolean;
}

/** A story on both sides. */
export interface SyncCase {
  story: TeamStory | undefined;
  row: SyncedStory | undefined;
  place: StoryPlace | undefined;
  /** Which kept content both sides have in common. */
  baseKind: BaseKind;
  /** Why nothing is done. */
  held?: string | undefined;
}

/** Returns the changes in the report of a repository's last sync. */
export function changesIn({ lastReport }: Pick<TeamRepository, 'lastReport'>): SyncChange[] {
  return JSON.parse(lastReport ?? '[]') as SyncChange[];
}

/** Returns a change without particulars. */
export function changeOf(
  found: Pick<SyncCase, 'story' | 'row' | 'place'>,
  change: Pick<SyncChange, 'direction' | 'kind' | 'state'> & Partial<SyncChange>,
): SyncChange {
  const place = found.row?.place ?? found.place?.stem ?? '';
  return {
    storyId: found.story?.id ?? null,
    name: found.story?.name ?? place,
    place,
    message: null,
    details: [],
    draftId: null,
    compareUrl: null,
    ...change,
  };
}

/** Returns what is known of a story before its first sync. */
export function newRow(storyId: number, place: string): SyncedStory {
  return {
    storyId,
    place,
    digest: null,
    storyVersion: null,
    pushedDigest: null,
    pushedCommit: null,
    draftId: null,
    draftDigest: null,
    draftWaits: false,
  };
}
