import { type Actor, canWrite, requireTeam, visibleTeamIds } from '../../api/face.js';
import { NotFound } from '../../platform/errors.js';
import type { Database } from '../../platform/mysql/database.js';
import type { Window } from '../../platform/mysql/statements/page-query.js';
import type { Session } from '../../platform/mysql/session.js';
import { hideInObject } from '../../platform/secrets/hidden-secrets.js';
import { findWebhookSecrets } from '../agents/agent-store.js';
import { storyOrDraft, type StoryOrDraft } from '../drafts/story-or-draft.js';
import type { StoryChanges } from '../edit/story-changes.js';
import { type Changed, type Expecting, versionAfter } from '../edit/story-version.js';
import { listPartIds } from '../list/story-part-list-store.js';
import { createStoryEditor } from '../edit/story-editor.js';
import { addNote, changeNote, type NoteChange, removeNote } from './edit-notes.js';
import { findNote, findNotes, type NoteRecord, NOTES } from './note-store.js';

/** The filters of a list of notes. */
export interface NoteQuery {
  storyId?: number | undefined;
  teamId?: number | undefined;
  /** The draft that is meant instead of the story. */
  draftId?: number | null | undefined;
  /** Over several stories: those of drafts instead of live ones. */
  drafts?: boolean | undefined;
}

export interface NoteList {
  /** The notes of the page, read part by part. */
  items: AsyncIterable<NoteRecord>;
  /** Over all pages, up to 100,000. */
  total: number;
}

export interface NoteServiceDeps {
  database: Pick<Database, 'read' | 'transaction'>;
  changes: StoryChanges;
}

export type NoteService = ReturnType<typeof createNoteService>;

/** Notes that one read of a list takes at once; a note of an import may have megabytes. */
const PART = 20;

/** Notes on the boards of stories, with checks of what the actor may see and change (spec §3.13). */
export function createNoteService(deps: NoteServiceDeps) {
  const { database } = deps;
  const editor = createStoryEditor(deps);
  const storyOf = async (actor: Actor, id: number): Promise<number> => {
    const { storyId } = await database.read((session) => visibleNote(actor, id, 'write', session));
    return storyId;
  };
  return {
    /** Returns the notes that the actor may see. @throws NotFound for a story or team that it may not see. */
    async list(
      actor: Actor,
      { storyId, teamId, draftId, drafts }: NoteQuery,
      window: Window,
    ): Promise<NoteList> {
      if (teamId !== undefined) requireTeam(actor, teamId, 'read');
      const teamIds = teamId === undefined ? visibleTeamIds(actor) : [teamId];
      const { items, total } = await database.read(async (session) => {
        const place = storyId ?? draftId ?? undefined;
        const story =
          place === undefined
            ? undefined
            : await storyOrDraft(actor, { storyId: place, draftId }, 'read', session);
        const filter = { tenantId: actor.tenantId, teamIds, storyId: story?.id, drafts };
        return listPartIds(filter, NOTES, window, session);
      });
      return { items: eachNote(actor, items, database), total };
    },

    get: (actor: Actor, id: number): Promise<NoteRecord> =>
      database.read(async (session) => {
        const note = await visibleNote(actor, id, 'read', session);
        const [shown = note] = await shownNotes(actor, [note], session);
        return shown;
      }),

    /** @throws NotFound and Forbidden as `create`. */
    checkCreate: async (
      actor: Actor,
      place: { storyId: number | undefined; draftId: StoryOrDraft['draftId'] },
    ): Promise<void> => {
      const { storyId, draftId } = place;
      if (storyId === undefined) return;
      await database.read((session) => storyOrDraft(actor, { storyId, draftId }, 'write', session));
    },

    /** @throws NotFound and Forbidden as `update`. */
    check: async (actor: Actor, id: number): Promise<void> => {
      await storyOf(actor, id);
    },

    /** Adds a note to a story. @throws Unprocessable if the story has no room for it. */
    async create(actor: Actor, place: StoryOrDraft, note: NoteChange): Promise<NoteRecord> {
      const { id: storyId } = await database.read((session) => storyOrDraft(actor, place, 'write', session));
      return editor.edit(actor, {
        storyId,
        part: 'graph',
        work: async (_story, { session }) =>
          visibleNote(actor, await addNote(storyId, note, session), 'write', session),
      });
    },

    /** Changes the given fields. @throws as `create`; PreconditionFailed if `If-Match` names another version of the story. */
    async update(
      actor: Actor,
      { id, ifMatch }: Expecting,
      change: NoteChange,
    ): Promise<NoteRecord & Changed> {
      const storyId = await storyOf(actor, id);
      return editor.edit(actor, {
        storyId,
        ifMatch,
        part: 'graph',
        async work(story, { session }) {
          await changeNote({ storyId, id }, change, session);
          const note = await visibleNote(actor, id, 'write', session);
          return { ...note, storyVersion: versionAfter(story) };
        },
      });
    },

    /** Removes a note. @throws NotFound and Forbidden; PreconditionFailed. */
    async delete(actor: Actor, { id, ifMatch }: Expecting): Promise<void> {
      const storyId = await storyOf(actor, id);
      await editor.edit(actor, {
        storyId,
        ifMatch,
        part: 'graph',
        work: (_story, { session }) => removeNote({ storyId, id }, session),
      });
    },
  };
}

async function visibleNote(
  actor: Actor,
  id: number,
  need: 'read' | 'write',
  session: Session,
): Promise<NoteRecord> {
  const note = await findNote(id, actor.tenantId, session);
  if (note === undefined) throw new NotFound('Note');
  requireTeam(actor, note.teamId, need, 'Note');
  return note;
}

async function* eachNote(
  actor: Actor,
  ids: readonly number[],
  database: Pick<Database, 'read'>,
): AsyncGenerator<NoteRecord> {
  for (let at = 0; at < ids.length; at += PART) {
    const part = ids.slice(at, at + PART);
    yield* await database.read(async (session) => shownNotes(actor, await findNotes(part, session), session));
  }
}

/** Removes webhook secrets from notes, unless the actor may write. */
async function shownNotes(actor: Actor, notes: NoteRecord[], session: Session): Promise<NoteRecord[]> {
  const readOnly = notes.filter(({ teamId }) => !canWrite(actor, teamId));
  if (readOnly.length === 0) return notes;
  const secrets = await findWebhookSecrets([...new Set(readOnly.map(({ storyId }) => storyId))], session);
  return notes.map((each) => {
    if (canWrite(actor, each.teamId)) return each;
    return { ...each, note: hideInObject(each.note, { secrets: secrets.get(each.storyId) ?? [] }) };
  });
}
