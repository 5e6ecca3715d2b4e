import { type Actor, homeTeamId, homeTeamProblems, requireTeam, visibleTeamIds } from '../../api/face.js';
import { holdTeam } from '../../people/face.js';
import { Conflict, NotFound, type Problem, Unprocessable } from '../../platform/errors.js';
import type { Database } from '../../platform/mysql/database.js';
import { isDuplicateKey } from '../../platform/mysql/db-errors.js';
import type { Page, Window } from '../../platform/mysql/statements/page-query.js';
import { retryLockConflicts } from '../../platform/mysql/commit/retry-conflicts.js';
import type { Session } from '../../platform/mysql/session.js';
import { findExtra, updateStory } from '../edit/story-change-store.js';
import type { StoryChanges } from '../edit/story-changes.js';
import { createStoryEditor } from '../edit/story-editor.js';
import { readStorySettings } from '../settings/story-settings.js';
import { writeSettings } from '../settings/write-settings.js';
import { DEFAULT_COLOR, hexOf } from './tag-color.js';
import {
  deleteTag,
  findTag,
  insertTag,
  listTags,
  lockTaggedStories,
  type TagRecord,
  takeFromCases,
  updateTag,
} from '../../data/face.js';

/** Stories and drafts that one request changes, in one transaction. */
const MOST_STORIES = 100;

/** A change of a tag. Its team may be given, as it is. */
export interface TagChange {
  name?: string | undefined;
  /** See `colorField`. */
  color?: string | undefined;
  team_id?: number | undefined;
}

export type TagService = ReturnType<typeof createTagService>;

/** Tags of teams, with checks of what the actor may see and change (spec §3.12). */
export function createTagService(deps: {
  database: Pick<Database, 'read' | 'transaction'>;
  changes: StoryChanges;
}) {
  const { database } = deps;
  const editor = createStoryEditor(deps);
  const inTransaction = <Result>(work: (session: Session) => Promise<Result>) =>
    retryLockConflicts(() => database.transaction(work));

  /** Gives the tagged stories another tag, or none; `before` changes the tag itself. */
  const changeStories = async (
    actor: Actor,
    tag: TagRecord,
    { after, before }: { after: string | undefined; before: (session: Session) => Promise<void> },
  ): Promise<void> => {
    await editor.editMany(actor, {
      part: 'settings',
      async stories(session) {
        const ids = await lockTaggedStories(tag, MOST_STORIES + 1, session);
        if (ids.length > MOST_STORIES) throw tooMany();
        await before(session);
        return ids;
      },
      work: ({ id }, { session }) => replaceTag(id, { tag: tag.name, after }, session),
    });
  };

  return {
    /** Returns the tags of the team, or of every team that the actor may read. */
    async list(actor: Actor, teamId: number | undefined, window: Window): Promise<Page<TagRecord>> {
      if (teamId !== undefined) requireTeam(actor, teamId, 'read');
      const teamIds = teamId === undefined ? visibleTeamIds(actor) : [teamId];
      return database.read((session) => listTags(teamIds, window, session));
    },

    get: (actor: Actor, id: number): Promise<TagRecord> =>
      database.read((session) => visibleTag(actor, id, 'read', session)),

    /** @throws NotFound and Forbidden as `create`. */
    checkCreate: (actor: Actor, body: { team_id?: number | undefined }): Problem[] =>
      homeTeamProblems(actor, body, 'write'),

    /** @throws Conflict if the team has a tag of this name. */
    async create(actor: Actor, { name, color, team_id }: TagChange & { name: string }): Promise<TagRecord> {
      const teamId = homeTeamId(actor, team_id, 'write');
      return inTransaction(async (session) => {
        await holdTeam(teamId, session);
        const hex = color === undefined ? DEFAULT_COLOR : hexOf(color);
        const id = await insertTag({ teamId, name, color: hex }, session).catch(nameTaken);
        return visibleTag(actor, id, 'read', session);
      });
    },

    /** @throws NotFound and Forbidden as `update`. */
    checkUpdate: (actor: Actor, id: number, body: TagChange): Promise<Problem[]> =>
      database.read(async (session) => teamProblems(await visibleTag(actor, id, 'write', session), body)),

    /**
     * Changes the tag; stories that have it get its new name.
     * @throws Conflict if the team has a tag of this name; Unprocessable for more than a hundred stories.
     */
    async update(actor: Actor, id: number, body: TagChange): Promise<TagRecord> {
      const tag = await database.read((session) => visibleTag(actor, id, 'write', session));
      const problems = teamProblems(tag, body);
      if (problems.length > 0) throw new Unprocessable(problems);
      const { name, color } = body;
      const change = { name, color: color === undefined ? undefined : hexOf(color) };
      if (name === undefined || name === tag.name) {
        await inTransaction((session) => updateTag(id, change, session));
      } else {
        const before = (session: Session) => updateTag(id, change, session).catch(nameTaken);
        await changeStories(actor, tag, { after: name, before });
      }
      return database.read((session) => visibleTag(actor, id, 'read', session));
    },

    /**
     * Deletes the tag, and takes it from stories and cases. `teamId`: it must be of this team.
     * @throws Unprocessable for more than a hundred stories.
     */
    async delete(actor: Actor, id: number, teamId: number | undefined): Promise<void> {
      const tag = await database.read((session) => visibleTag(actor, id, 'write', session));
      if (teamId !== undefined && teamId !== tag.teamId) throw new NotFound('Tag');
      while (await inTransaction((session) => takeFromCases(id, session)));
      await changeStories(actor, tag, { after: undefined, before: (session) => deleteTag(id, session) });
    },
  };
}

function tooMany(): Unprocessable {
  return new Unprocessable(
    `More than ${MOST_STORIES} stories have the tag: remove it from some of them first`,
  );
}

async function visibleTag(
  actor: Actor,
  id: number,
  need: 'read' | 'write',
  session: Session,
): Promise<TagRecord> {
  const tag = await findTag(id, session);
  if (tag === undefined) throw new NotFound('Tag');
  requireTeam(actor, tag.teamId, need, 'Tag');
  return tag;
}

function teamProblems(tag: TagRecord, { team_id: teamId }: TagChange): Problem[] {
  if (teamId === undefined || teamId === tag.teamId) return [];
  return [{ message: 'team_id of a tag cannot be changed', details: 'team_id' }];
}

async function replaceTag(
  storyId: number,
  { tag, after }: { tag: string; after: string | undefined },
  session: Session,
): Promise<void> {
  const extra = await findExtra(storyId, session);
  const { tags } = readStorySettings(extra);
  const others = tags.flatMap((each) => (each === tag ? (after ?? []) : each));
  await updateStory(storyId, { extra: writeSettings(extra, { tags: [...new Set(others)] }) }, session);
}

/** Turns the database's error into that of the API. */
function nameTaken(error: unknown): never {
  if (!isDuplicateKey(error)) throw error;
  throw new Conflict([{ message: 'The team already has a tag with this name', details: 'name' }]);
}
