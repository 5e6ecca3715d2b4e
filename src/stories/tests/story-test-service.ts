import { type Actor, canWrite } from '../../api/face.js';
import { type Problem, Unprocessable } from '../../platform/errors.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../platform/json.js';
import type { Database } from '../../platform/mysql/database.js';
import { hideInObject } from '../../platform/secrets/hidden-secrets.js';
import { firstProblems } from '../../platform/validation/validate.js';
import { findWebhookSecrets } from '../agents/agent-store.js';
import { storyOrDraft, type StoryOrDraft } from '../drafts/story-or-draft.js';
import { findExtra, updateStory } from '../edit/story-change-store.js';
import type { StoryChanges } from '../edit/story-changes.js';
import { createStoryEditor } from '../edit/story-editor.js';
import { versionAfter } from '../edit/story-version.js';
import { type TestEdit, withoutTest, withTest } from './edit-tests.js';
import { TESTS_KEY } from './story-test.js';
import { testProblems } from './test-form.js';

/** The tests of a story, and the version of the story that has them. */
export interface ListedTests {
  tests: JsonValue[];
  version: number;
}

/** A test to write, with its faults: the expensive part, without side effects. */
export interface ReadTest extends Omit<TestEdit, 'test'> {
  test: JsonValue | undefined;
  problems: Problem[];
}

/** Reads a test to write. */
export function readTest({ test, replaces }: { test?: JsonValue; replaces?: string }): ReadTest {
  return { test, replaces, problems: test === undefined ? [] : testProblems(test, 'test') };
}

/** A test that was written. */
export interface WrittenTest {
  test: JsonObject;
  isNew: boolean;
  version: number;
}

export interface StoryTestServiceDeps {
  database: Pick<Database, 'read' | 'transaction'>;
  changes: StoryChanges;
}

export type StoryTestService = ReturnType<typeof createStoryTestService>;

/** The tests of stories, with checks of what the actor may see and change (spec §3.20). */
export function createStoryTestService({ database, changes }: StoryTestServiceDeps) {
  const editor = createStoryEditor({ database, changes });
  const idOf = async (actor: Actor, place: StoryOrDraft): Promise<number> =>
    (await database.read((session) => storyOrDraft(actor, place, 'write', session))).id;
  return {
    /** Returns the tests as exports have them; without secrets unless the actor may write. @throws NotFound. */
    list: (actor: Actor, place: StoryOrDraft): Promise<ListedTests> =>
      database.read(async (session) => {
        const { id, teamId, version } = await storyOrDraft(actor, place, 'read', session);
        const extra = await findExtra(id, session);
        const list = Object.hasOwn(extra, TESTS_KEY) ? extra[TESTS_KEY] : undefined;
        const tests = Array.isArray(list) ? list : [];
        if (canWrite(actor, teamId) || tests.length === 0) return { tests, version };
        const secrets = (await findWebhookSecrets([id], session)).get(id) ?? [];
        const shown = hideInObject({ tests }, { secrets }).tests;
        return { tests: Array.isArray(shown) ? shown : [], version };
      }),

    /** Returns the faults of a test. @throws NotFound and Forbidden as `put`. */
    async check(actor: Actor, place: StoryOrDraft, { problems }: ReadTest): Promise<Problem[]> {
      await idOf(actor, place);
      return problems;
    },

    /** Returns the id of the draft; undefined without one. @throws NotFound and Forbidden as `put`. */
    draftIn: async (actor: Actor, place: StoryOrDraft): Promise<number | undefined> =>
      place.draftId === undefined || place.draftId === null ? undefined : idOf(actor, place),

    /**
     * Adds a test, or replaces one: the named one, else that of its name.
     * @throws Unprocessable with each fault; NotFound, Forbidden; Conflict for a story that is locked or under change control;
     * PreconditionFailed if `ifMatch` names another version.
     */
    async put(
      actor: Actor,
      place: StoryOrDraft & { ifMatch?: string | undefined },
      { test, problems, ...how }: ReadTest,
    ): Promise<WrittenTest> {
      if (problems.length > 0 || !isTest(test)) throw new Unprocessable(firstProblems(problems));
      const storyId = await idOf(actor, place);
      return editor.edit(actor, {
        storyId,
        ifMatch: place.ifMatch,
        part: 'graph',
        async work(story, { session }) {
          const before = await findExtra(storyId, session);
          const { extra, isNew } = withTest(before, { test, ...how });
          await updateStory(storyId, { extra }, session);
          return { test, isNew, version: versionAfter(story) };
        },
      });
    },

    /** Removes a test. @throws NotFound for a name that no test has; as `put`. */
    async remove(
      actor: Actor,
      place: StoryOrDraft & { ifMatch?: string | undefined },
      name: string,
    ): Promise<void> {
      const storyId = await idOf(actor, place);
      await editor.edit(actor, {
        storyId,
        ifMatch: place.ifMatch,
        part: 'graph',
        async work(_story, { session }) {
          const before = await findExtra(storyId, session);
          await updateStory(storyId, { extra: withoutTest(before, name) }, session);
        },
      });
    },
  };
}

function isTest(test: JsonValue | undefined): test is JsonObject & { name: string } {
  return isJsonObject(test) && typeof test.name === 'string';
}
