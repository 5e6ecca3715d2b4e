import { type Actor, canWrite } from '../../api/face.js';
import type { CountQuota } from '../../people/face.js';
import { NotFound, Unprocessable } from '../../platform/errors.js';
import type { JsonObject } from '../../platform/json.js';
import type { Database } from '../../platform/mysql/database.js';
import { retryConflicts } from '../../platform/mysql/commit/retry-conflicts.js';
import type { Session } from '../../platform/mysql/session.js';
import { firstProblems } from '../../platform/validation/validate.js';
import type { ActionToWarn } from '../check/action-warnings-task.js';
import type { ActionWarner } from '../check/action-warner.js';
import type { StoryDiffer } from '../diff/story-differ.js';
import { exportWithoutSecrets } from '../agents/hidden-options.js';
import { numberedNotes } from '../notes/story-notes.js';
import { RECORD_TYPE } from '../settings/record-settings.js';
import { storyOrDraft, type StoryOrDraft } from '../drafts/story-or-draft.js';
import type { StoryChanges } from '../edit/story-changes.js';
import { createStoryEditor } from '../edit/story-editor.js';
import { findStoredStory } from '../export/story-export-store.js';
import { lockTeam } from '../import/story-import-store.js';
import { visibleStory } from '../story/visible-story.js';
import type { ReadGraph } from './graph-body.js';
import { graphForm } from './graph-form.js';
import { replaceGraph } from './replace-graph.js';
import { isExpected } from '../edit/story-version.js';
import { StaleGraph, staleGraphProblems } from './stale-graph.js';

/** The graph of a story, and the version of the story that has it. */
export interface Graph {
  form: JsonObject;
  version: number;
  /** Warnings about its actions; absent unless it was just written. */
  warnings?: string[];
}

export interface GraphServiceDeps {
  database: Pick<Database, 'read' | 'transaction'>;
  changes: StoryChanges;
  countQuota: CountQuota;
  differ: StoryDiffer;
  warner: ActionWarner;
}

export type GraphService = ReturnType<typeof createGraphService>;

/** Whole graphs of stories: actions, links, notes and places (spec §3.14). */
export function createGraphService(deps: GraphServiceDeps) {
  const { database, differ, countQuota, warner } = deps;
  const editor = createStoryEditor(deps);

  /** @throws NotFound for a story that the actor may not see. */
  const get = async (actor: Actor, place: StoryOrDraft): Promise<Graph> => {
    const { form, teamId, version } = await retryConflicts(() =>
      database.transaction((session) => readGraphOf(actor, place, session)),
    );
    return { form: canWrite(actor, teamId) ? form : await exportWithoutSecrets(form), version };
  };

  return {
    get,

    /** Returns the problems of a graph. @throws NotFound and Forbidden as `replace`. */
    check: async (actor: Actor, place: StoryOrDraft, read: ReadGraph) => {
      await database.read((session) => storyOrDraft(actor, place, 'write', session));
      return read.problems;
    },

    /**
     * Replaces actions, links and notes, all or nothing. `ifMatch` is the header: the versions that the client knows. Without
     * it the `version` of the body is the one.
     * @throws Unprocessable naming every fault; Conflict for a webhook path in use and for a locked story;
     * PreconditionFailed if the story has another version; QuotaReached for more schedules than the tenant may have.
     */
    async replace(
      actor: Actor,
      place: StoryOrDraft,
      { read, ifMatch }: { read: ReadGraph; ifMatch: string | undefined },
    ): Promise<Graph> {
      const { id, teamId } = await database.read((session) => storyOrDraft(actor, place, 'write', session));
      const { request, problems } = read;
      if (request === undefined) throw new Unprocessable(firstProblems(problems));
      const makesTypes = request.agents.some(({ form }) => form.type === RECORD_TYPE);
      try {
        await editor.edit(actor, {
          storyId: id,
          part: 'graph',
          ...(makesTypes && { before: (session) => lockTeam(teamId, actor.tenantId, session) }),
          work: (story, context) => {
            const unexpectedBy = unexpectedIn({ read, ifMatch }, story.version);
            return countQuota.within(actor.tenantId, context.session, () =>
              replaceGraph({ story, tenantId: actor.tenantId, unexpectedBy }, request, context),
            );
          },
        });
      } catch (error) {
        if (!(error instanceof StaleGraph)) throw error;
        throw await staleGraphProblems(error, (order) => differ(actor.tenantId, order));
      }
      const graph = await get(actor, { storyId: id });
      const written = graph.form.agents as unknown as ActionToWarn[];
      return { ...graph, warnings: await warner.warningsOf(actor, id, written) };
    },
  };
}

/** Returns what in the request names another version. The header is asked first: a body may be an echo of the answer. */
function unexpectedIn(
  { read, ifMatch }: { read: ReadGraph; ifMatch: string | undefined },
  version: number,
): StaleGraph['by'] | undefined {
  if (ifMatch !== undefined) return isExpected(ifMatch, version) ? undefined : 'If-Match';
  return read.version === undefined || read.version === version ? undefined : 'version';
}

async function readGraphOf(actor: Actor, place: StoryOrDraft, session: Session) {
  const found = await storyOrDraft(actor, place, 'read', session);
  const { id } = found;
  const stored = await findStoredStory(found.guid, found.teamId, session);
  if (stored === undefined) throw new NotFound('Story');
  // Reading under the story's lock keeps version and content consistent.
  const { version, teamId } = await visibleStory(actor, id, 'read', session);
  const numbered = await numberedNotes(id, stored.extra, session);
  return { form: await graphForm(stored, { version, numbered }), teamId, version };
}
