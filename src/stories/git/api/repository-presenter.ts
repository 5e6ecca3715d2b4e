import Joi from 'joi';
import { component, idSchema, responseSchema, timeSchema } from '../../../api/face.js';
import type { RepositorySync, TeamRepository } from '../repository-store.js';
import type { SyncResult } from '../sync/repository-sync.js';
import { changesIn, type SyncChange } from '../sync/sync-types.js';
import { timestamp } from '../../../platform/time/timestamp.js';

const commit = Joi.string().allow(null);
const leftSchema = Joi.number()
  .integer()
  .description('Stories that the sync did not come to in its time: the next one begins at once, and goes on');

const changeSchema = component(
  'RepositoryChange',
  responseSchema({
    direction: Joi.string().valid('pull', 'push').description('`pull`: from the repository'),
    kind: Joi.string()
      .valid('add', 'change', 'delete')
      .description('The change of the story or of its files'),
    state: Joi.string()
      .valid('planned', 'done', 'conflict', 'waiting', 'held')
      .description(
        '`planned`: in a dry run; `conflict`: a person must decide; `waiting`: for the merge of its pull request; `held`: nothing was done',
      ),
    story_id: idSchema.allow(null).description('null: the server has no such story'),
    name: Joi.string().allow('').description('Name of the story'),
    place: Joi.string().allow('').description('Path of its file or folder, without an ending'),
    message: Joi.string().allow(null).description('The commit, or the reason of the state'),
    details: Joi.array().items(Joi.string()).description('Conflicts, faults of files, or warnings'),
    draft_id: idSchema.allow(null).description('The draft that holds the files, to be published or deleted'),
    compare_url: Joi.string().allow(null).description('Page where the pull request is made or seen'),
  }),
);

export const repositorySchema = component(
  'TeamRepository',
  responseSchema({
    team_id: idSchema,
    url: Joi.string().description('Address of the repository'),
    branch: Joi.string().description('Branch that is synced'),
    folder: Joi.string().allow('').description('Folder of the stories; empty: the root'),
    direction: Joi.string().valid('pull', 'push', 'both').description('The side that takes over changes'),
    way: Joi.string().valid('direct', 'pull_request').description('How changes reach the branch'),
    layout: Joi.string().valid('file', 'folder').description('One file or one folder for each story'),
    format: Joi.string().valid('yaml', 'json').description('Form of new files'),
    credential_id: idSchema.allow(null).description('The credential of the repository'),
    host_keys: Joi.string().allow('').description('Public keys of an ssh host'),
    set_by: idSchema.description('The user who has set it'),
    commit: commit.description('Commit of the branch at the last sync'),
    error: Joi.string().allow(null).description('Why the last sync failed; null: it did not'),
    failures: Joi.number().integer().description('Failed syncs in a row'),
    left: leftSchema,
    started_at: timeSchema.allow(null).description('When the last sync began'),
    ended_at: timeSchema.allow(null).description('When the last sync ended'),
    next_at: timeSchema.description('When the next sync is due'),
    changes: Joi.array()
      .items(changeSchema)
      .description('Changes of the last sync that did not fail; at most 500'),
  }),
);

const syncSchema = component(
  'RepositorySync',
  responseSchema({
    id: idSchema,
    user_id: idSchema.allow(null).description('The user who asked for it; null: it was due'),
    commit: commit.description('Commit of the branch'),
    pulled: Joi.number().integer().description('Stories that got changes'),
    pushed: Joi.number().integer().description('Stories whose files got changes'),
    conflicts: Joi.number().integer().description('Stories that wait for a person'),
    error: Joi.string().allow(null).description('Why it failed; null: it did not'),
    started_at: timeSchema.description('When it began'),
    ended_at: timeSchema.description('When it ended'),
  }),
);

export const syncsSchema = responseSchema({
  syncs: Joi.array().items(syncSchema).description('Newest first'),
});

export const syncResultSchema = component(
  'RepositorySyncResult',
  responseSchema({
    dry_run: Joi.boolean().description('Whether nothing was written'),
    commit: commit.description('Commit of the branch afterwards'),
    error: Joi.string().allow(null).description('Why the sync failed; null: it did not'),
    left: leftSchema,
    changes: Joi.array().items(changeSchema).description('Changes of both directions'),
  }),
);

const changeExample = {
  direction: 'pull',
  kind: 'change',
  state: 'planned',
  story_id: 12,
  name: 'Triage alerts',
  place: 'triage-alerts',
  message: 'Git commit 3f2a9c0d11 by Ada Lovelace <ada@example.com>: Raise the limit',
  details: [],
  draft_id: null,
  compare_url: null,
};

export const repositoryExample = {
  team_id: 2,
  url: 'https://git.example.com/soc/stories.git',
  branch: 'main',
  folder: 'stories',
  direction: 'both',
  way: 'direct',
  layout: 'file',
  format: 'yaml',
  credential_id: 7,
  host_keys: '',
  set_by: 3,
  commit: '3f2a9c0d11aa4f5e6b7c8d9e0f1a2b3c4d5e6f70',
  error: null,
  failures: 0,
  left: 0,
  started_at: '2026-11-30T10:00:00Z',
  ended_at: '2026-11-30T10:00:02Z',
  next_at: '2026-11-30T10:05:02Z',
  changes: [],
};

export const syncExample = {
  id: 5,
  user_id: 3,
  commit: repositoryExample.commit,
  pulled: 1,
  pushed: 0,
  conflicts: 0,
  error: null,
  started_at: '2026-11-30T10:00:00Z',
  ended_at: '2026-11-30T10:00:02Z',
};

export const syncResultExample = {
  dry_run: true,
  commit: repositoryExample.commit,
  error: null,
  left: 0,
  changes: [changeExample],
};

/** Returns a change as the API shows it. */
function presentChange(change: SyncChange) {
  return {
    direction: change.direction,
    kind: change.kind,
    state: change.state,
    story_id: change.storyId,
    name: change.name,
    place: change.place,
    message: change.message,
    details: change.details,
    draft_id: change.draftId,
    compare_url: change.compareUrl,
  };
}

export function presentRepository(repository: TeamRepository) {
  const { startedAt, endedAt } = repository;
  return {
    team_id: repository.teamId,
    url: repository.url,
    branch: repository.branch,
    folder: repository.folder,
    direction: repository.direction,
    way: repository.way,
    layout: repository.layout,
    format: repository.format,
    credential_id: repository.credentialId,
    host_keys: repository.hostKeys,
    set_by: repository.userId,
    commit: repository.commitId,
    error: repository.lastError,
    failures: repository.failures,
    left: repository.left,
    started_at: startedAt && timestamp(startedAt),
    ended_at: endedAt && timestamp(endedAt),
    next_at: timestamp(repository.nextAt),
    changes: changesIn(repository).map(presentChange),
  };
}

export function presentSync(sync: RepositorySync) {
  return {
    id: sync.id,
    user_id: sync.userId,
    commit: sync.commitId,
    pulled: sync.pulled,
    pushed: sync.pushed,
    conflicts: sync.conflicts,
    error: sync.error,
    started_at: timestamp(sync.startedAt),
    ended_at: timestamp(sync.endedAt),
  };
}

export function presentSyncResult({ commitId, error, left, changes }: SyncResult, isTrial: boolean) {
  return { dry_run: isTrial, commit: commitId, error, left, changes: changes.map(presentChange) };
}
