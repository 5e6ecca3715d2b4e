import type { Actor } from '../../../src/api/face.js';
import { AppError } from '../../../src/platform/errors.js';
import { TaskTooLarge, TaskTooLong, ThreadsBusy } from '../../../src/platform/threads/thread-errors.js';
import type { PreparedMerge } from '../../../src/stories/drafts/prepare-merge.js';
import { mergeSnapshots } from '../../../src/stories/merge/story-merge-task.js';
import { createTestGate } from '../../../src/stories/tests/test-gate.js';
import { readSnapshot } from '../../../src/stories/versions/version-snapshot.js';
import { runTestsInThread, type TestsWork } from '../../../src/trial/tests/api/run-tests-task.js';
import { createJudge } from '../../../src/trial/face.js';
import { draftWorld } from '../../support/draft-world.js';
import { WITHOUT_WORKERS } from '../../support/manage-api.js';
import { useManageApiHere } from '../../support/manage-api-here.js';
import { useStores } from '../../support/stores.js';

const stores = useStores();
const api = useManageApiHere(stores, WITHOUT_WORKERS);
const withStory = draftWorld(stores, api);

/** A publication of a story with two tests, whose run in a thread is played by `run`. */
async function publication(policy: 'warn' | 'block', run: (work: TestsWork) => Promise<unknown>) {
  const { account, ask, path, story } = await withStory();
  for (const name of ['First', 'Second'])
    await ask(`PUT ${path}/tests`, { test: { name, event: { body: {} }, expect: {} } });
  await ask(`PUT ${path}`, { tests_on_publish: policy });
  const { core } = api.fabula().web;
  const threads = { ...core.threads, run: (_name: string, work: TestsWork) => run(work) };
  const judge = createJudge({ ...core, threads: threads as typeof core.threads });
  const snapshot = await stores.db.transaction((session) => readSnapshot(story.id, session));
  const { text } = snapshot ?? { text: '' };
  const merged = mergeSnapshots({ base: text, live: text, draft: text, choices: [], overwrites: false });
  const merge = { ...merged, ...JSON.parse(merged.lists) } as PreparedMerge;
  const actor: Actor = {
    keyId: 0,
    kind: 'personal',
    tenantId: account.tenantId,
    userId: account.user.id,
    userEmail: account.user.email,
    isOwner: false,
    roles: new Map([[account.team.id, 'EDITOR']]),
    keyTeamId: undefined,
  };
  return createTestGate({ database: stores.db, judge }).pass(actor, {
    storyId: story.id,
    merge,
    ignoresFailed: false,
  });
}

const fails = (reason: Error) => () => Promise.reject(reason);
/** Its time is over before the first test. */
const late = (work: TestsWork) => runTestsInThread({ ...work, maxMs: -1 });
const refusalOf = async (pass: Promise<unknown>) => {
  const error = await pass.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return error instanceof AppError ? [error.status, ...error.problems] : error;
};
const told = (message: string) => ({ message, details: 'tests' });

describe('stories as software: the tests of a publication that do not come to their end', () => {
  it.each([
    [new TaskTooLong('run-story-tests', 90_000), 'The work took longer than 90000 ms'],
    [new TaskTooLarge('run-story-tests'), 'The work needs more memory than it may take'],
  ])('refuse it where they block, with the reason: %s', async (error, reason) => {
    expect(await refusalOf(publication('block', fails(error)))).toEqual([
      409,
      told('The story is not published: its tests could not be run to their end'),
      told(`The tests were stopped: ${reason}`),
    ]);
  });

  it('are named in its result where they warn', async () => {
    const verdict = await publication('warn', fails(new TaskTooLong('run-story-tests', 90_000)));
    expect(verdict).toMatchObject({
      failed: [{ name: 'Tests', because: ['The tests were stopped: The work took longer than 90000 ms'] }],
    });
  });

  it('refuse it as busy, to be tried again, while all threads are taken', async () => {
    expect(await refusalOf(publication('block', fails(new ThreadsBusy())))).toEqual([
      503,
      { message: 'The server is busy; try again' },
    ]);
  });

  it('count as failed, each with the reason, where there are more than its time is enough for', async () => {
    expect(await refusalOf(publication('block', late))).toEqual([
      409,
      told('The story is not published: 2 tests of it failed'),
      ...['First', 'Second'].map((name) =>
        told(expect.stringContaining(`"${name}": It did not run: the tests before it took `)),
      ),
    ]);
  });
});
