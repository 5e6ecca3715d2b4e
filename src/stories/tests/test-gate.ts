import { type Actor, requireTeam } from '../../api/face.js';
import { findTestPolicy } from '../../people/face.js';
import { AppError, Conflict, type Problem, Unprocessable } from '../../platform/errors.js';
import { counted } from '../../platform/text/counted.js';
import type { JsonObject } from '../../platform/json.js';
import type { Database } from '../../platform/mysql/database.js';
import { inSlices } from '../../platform/steps.js';
import type { PreparedMerge } from '../drafts/prepare-merge.js';
import { exportSteps } from '../export/export.js';
import { readMerged } from '../merge/story-merger.js';
import { readStorySettings } from '../settings/story-settings.js';
import { visibleStory } from '../story/visible-story.js';
import type { TestChanges } from './test-changes.js';

/** The results of a story's tests in short. */
export interface TestsVerdict {
  passed: number;
  /** Each with its first differences, as sentences. */
  failed: { name: string; because: string[] }[];
  /** Covered parts of the story, and all of them. */
  covered: number;
  all: number;
}

/** A story in the export form whose tests are to be run. */
export interface JudgedStory {
  teamId: number;
  form: JsonObject;
}

/** The verdict of a publication, with the tests of the live story that it takes away or writes otherwise, by name. */
export interface PublicationVerdict extends TestsVerdict, Pick<TestChanges, 'removed' | 'changed'> {}

/** Runs the tests of a story, as the actor may see what they use. @throws Unprocessable if they take too long; ThreadsBusy. */
export type JudgeStory = (actor: Actor, story: JudgedStory) => Promise<TestsVerdict>;

export interface TestGateDeps {
  database: Pick<Database, 'read'>;
  judge: JudgeStory;
}

/** A publication that is about to be written. */
interface Passing {
  storyId: number;
  merge: PreparedMerge;
  /** Failed tests do not refuse it. */
  ignoresFailed: boolean;
}

/** Creates what runs the tests of what a publication would make of a story. */
export function createTestGate({ database, judge }: TestGateDeps) {
  return {
    /**
     * Returns the verdict; undefined where neither the live story nor the result has tests. The stricter of what the live story and its tenant say of failing tests counts, not its draft.
     * @throws Conflict naming each failed test, and what keeps tests from running, where they block; Forbidden for another than
     * a team admin who ignores them.
     */
    async pass(
      actor: Actor,
      { storyId, merge, ignoresFailed }: Passing,
    ): Promise<PublicationVerdict | undefined> {
      const { live, policy } = await database.read(async (session) => ({
        live: await visibleStory(actor, storyId, 'write', session),
        policy: await findTestPolicy(actor.tenantId, session),
      }));
      if (ignoresFailed) requireTeam(actor, live.teamId, 'manage', 'Story');
      const { before, after, removed, changed } = merge.tests;
      if (before === 0 && after === 0) return undefined;
      if (after === 0) return { ...NO_TESTS, removed, changed };
      const form = await inSlices(exportSteps(await readMerged(merge.story)));
      const { testsOnPublish } = readStorySettings(live.settings);
      const blocks = [testsOnPublish, policy].includes('block') && !ignoresFailed;
      const judging = judge(actor, { teamId: live.teamId, form });
      const verdict = await judging.catch(blocks ? cannotRun : notRun);
      if (blocks && verdict.failed.length > 0) throw refusal(verdict);
      return { ...verdict, removed, changed };
    },
  };
}

const NO_TESTS: TestsVerdict = { passed: 0, failed: [], covered: 0, all: 0 };

/** Tests that only warn keep no publication: what stopped them is told in their place. @throws what is no refusal. */
function notRun(error: unknown): TestsVerdict {
  if (!(error instanceof AppError)) throw error;
  return { ...NO_TESTS, failed: [{ name: 'Tests', because: [error.message] }] };
}

/** Tests that block are a refusal, too, if they take too long or cannot be run at all. @throws always. */
function cannotRun(error: unknown): never {
  if (!(error instanceof Unprocessable)) throw error;
  const message = 'The story is not published: its tests could not be run to their end';
  throw new Conflict([{ message, details: 'tests' }, ...error.problems.map(atTests)]);
}

const atTests = ({ message }: Problem): Problem => ({ message, details: 'tests' });

function refusal({ failed }: TestsVerdict): Conflict {
  const message = `The story is not published: ${counted(failed.length, 'test')} of it failed`;
  const problems = failed.map(
    ({ name, because }): Problem => ({ message: `"${name}": ${because.join('; ')}`, details: 'tests' }),
  );
  return new Conflict([{ message, details: 'tests' }, ...problems]);
}
