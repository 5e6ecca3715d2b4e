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
import { numberedNotes, settleNotes } from '../notes/story-notes.js';
import { RECORD_TYPE } from '../settings/record-settings.js';
import { rememberingOrigins } from '../drafts/copy-guid.js';
import { listAgentGuids } from '../drafts/draft-store.js';
import { storyOrDraft, type StoryOrDraft } from '../drafts/story-or-draft.js';
import type { StoryChanges } from '../edit/story-changes.js';
import { createStoryEditor, type EditContext } from '../edit/story-editor.js';
import { findStoredStory } from '../export/story-export-store.js';
import {
  findTakenGuids,
  findTakenWebhookPaths,
  lockReplacedStory,
  lockTeam,
} from '../import/story-import-store.js';
import { visibleStory } from '../story/visible-story.js';
import type { GraphRequest, ReadGraph } from './graph-body.js';
import { graphForm } from './graph-form.js';
import { makeRecordTypes } from '../../data/face.js';
import type { StoryExport } from '../export/export-form.js';
import type { StoryPlan } from '../import/plan/story-plan.js';
import { requiredRecordTypes } from '../import/plan/required-record-types.js';
import { findAgentTypes, findDisabledAgents } from '../agents/agent-store.js';
import { findExtra, updateStory } from '../edit/story-change-store.js';
import type { StoryRecord } from '../story/story-store.js';
import { clearStory, writeGraph } from '../story/story-write-store.js';
import { inSlices } from '../../platform/steps.js';
import { readSnapshot } from '../versions/version-snapshot.js';
import { givenGuids, givenPaths, planGraph } from './plan-graph.js';
import { isExpected } from '../edit/story-version.js';
import { withRenamedActions } from '../tests/edit-tests.js';
import { TESTS_KEY } from '../tests/story-test.js';
import { StaleGraph, staleGraphProblems, wantedSnapshot } from './stale-graph.js';

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

    /** Returns the id of the draft; undefined without one. @throws NotFound and Forbidden as `replace`. */
    async draftIn(actor: Actor, place: StoryOrDraft): Promise<number | undefined> {
      if (place.draftId === undefined || place.draftId === null) return undefined;
      return (await database.read((session) => storyOrDraft(actor, place, 'write', session))).id;
    },

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

/** Returns what in the request names another version. The header is asked first: a body may be an echo of the response. */
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

/** The story whose graph is replaced. */
interface GraphPlace {
  story: StoryRecord;
  tenantId: number;
  /** The header or key that names another version than the story has; undefined: none does. */
  unexpectedBy: StaleGraph['by'] | undefined;
}

/**
 * Replaces the graph of a story that is locked, in the caller's transaction.
 * @throws StaleGraph if another version was expected; as `planGraph`.
 */
async function replaceGraph(
  { story, tenantId, unexpectedBy }: GraphPlace,
  request: GraphRequest,
  { session, wake }: EditContext,
): Promise<void> {
  const { id, teamId } = story;
  const extra = await findExtra(id, session);
  const replaced = await lockReplacedStory(id, session);
  if (replaced === undefined) throw new NotFound('Story');
  const taken = await findTakenWebhookPaths(givenPaths(request), id, session);
  const takenGuids = await findTakenGuids(givenGuids(request), session);
  const planned = await planGraph({ story, extra, replaced, taken, takenGuids }, request);
  const live = story.draftOf === null ? [] : await listAgentGuids(story.draftOf, session);
  const plan = {
    ...planned,
    extra: await withRenamedTests(id, planned, session),
    agents: rememberingOrigins(planned.agents, story.guid, live),
  };
  if (unexpectedBy !== undefined) {
    const stored = await readSnapshot(id, session);
    if (stored === undefined) throw new NotFound('Story');
    const wanted = await inSlices(wantedSnapshot(stored.storyText, plan));
    throw new StaleGraph(story.version, { stored: stored.text, wanted }, unexpectedBy);
  }
  const { types } = requiredRecordTypes([{ agents: request.agents.map(({ form }) => form) } as StoryExport]);
  await makeRecordTypes(types, { tenantId, teamId }, session);
  const disabled = await findDisabledAgents(id, session);
  await clearStory(id, session);
  await writeGraph(id, plan, session);
  await updateStory(id, { extra: plan.extra }, session);
  const ids = request.notes?.map((note) => note.id) ?? [];
  await settleNotes(id, plan.extra, session, ids);
  if (plan.agents.some(({ kept, disabled: rests }) => !rests && disabled.has(kept?.id ?? 0))) wake();
}

/** Returns the keys of the story with tests that name its actions as the new graph does. */
async function withRenamedTests(
  storyId: number,
  { agents, extra }: StoryPlan,
  session: Session,
): Promise<JsonObject> {
  if (!Object.hasOwn(extra, TESTS_KEY)) return extra;
  const { names } = await findAgentTypes(storyId, session);
  const renames = agents.flatMap(({ kept, name }) => {
    const from = names.get(kept?.id ?? 0);
    return from === undefined || from === name ? [] : [{ from, to: name }];
  });
  const kept = agents.filter(({ kept: before, name }) => names.get(before?.id ?? 0) === name);
  return withRenamedActions(
    extra,
    renames,
    kept.map(({ name }) => name),
  );
}
