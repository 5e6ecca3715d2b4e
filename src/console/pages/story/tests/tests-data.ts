import { type QueryClient, skipToken, useQuery, useQueryClient } from '@tanstack/react-query';
import type { KeptStoryRun, StoryTest, StoryTestResult } from '../../../../../clients/typescript/api.js';
import { api } from '../../../api/console-api.js';
import { keys } from '../../../api/keys.js';
import { LONG_CALL } from '../../../api/long-calls.js';
import { useChange } from '../../../api/use-change.js';
import { useMutation } from '../../../api/use-mutation.js';
import { isolated } from '../../../text/isolated.js';
import { say } from '../../../ui/overlay/toasts.js';
import { inPlace, type Place, useStory } from '../story-data.js';
import { freeName } from './model/test-shape.js';
import { type KnownResults, knownAfter, knownAfterChange } from './model/test-report.js';

/** Runs that are offered to be kept as a test. */
const MOST_RUNS = 50;

/** Returns the tests of a story, or of a draft. */
export function useStoryTests(place: Place) {
  return useQuery({ queryKey: keys.place(place).tests, queryFn: () => readTests(place) });
}

/** Reads the tests of a story, or of a draft, as they are now. */
async function readTests(place: Place): Promise<StoryTest[]> {
  return (await api.stories.tests.list(inPlace(place))).tests;
}

/** Returns where the text of a test is kept while somebody changes it; `name` undefined: of a new one. */
export const testTextPlace = ({ storyId, draftId }: Place, name = ''): string =>
  `test.${draftId ?? storyId}.${name}`;

/** Returns the newest runs of a story, or of a draft. */
export function useKeepableRuns(place: Place) {
  return useQuery({
    queryKey: keys.place(place).keepableRuns,
    queryFn: async () => (await api.stories.runs.list({ ...inPlace(place), per_page: MOST_RUNS })).story_runs,
  });
}

/** Returns what this page knows of the results of tests; they stay until the page is loaded anew. */
export function useKnownResults(place: Place): KnownResults | undefined {
  return useQuery<KnownResults>({
    queryKey: keys.place(place).testResults,
    queryFn: skipToken,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  }).data;
}

/** Whether the story was edited since its tests ran on this page. */
export function useIsOutdated(place: Place): boolean {
  const known = useKnownResults(place);
  const story = useStory(place.draftId ?? place.storyId).data;
  return known?.editedAt !== undefined && story !== undefined && story.edited_at !== known.editedAt;
}

/** Returns what runs the tests of these names, or all of them; the page keeps the results. */
export function useRunTests(place: Place) {
  const client = useQueryClient();
  const story = useStory(place.draftId ?? place.storyId).data;
  return useMutation({
    mutationFn: (names: string[] | undefined) =>
      api.stories.tests.runMany(
        { ...inPlace(place), ...(names !== undefined && { names }) },
        LONG_CALL.tests,
      ),
    onSuccess: (report, names) =>
      client.setQueryData<KnownResults>(keys.place(place).testResults, (before) =>
        knownAfter(before, report, names === undefined ? { editedAt: story?.edited_at } : undefined),
      ),
  });
}

/** Returns what runs a test that may not be saved; `isSaved`: the page keeps its result. */
export function useRunTest(place: Place) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ test }: { test: StoryTest; isSaved: boolean }) =>
      api.stories.tests.runMany({ ...inPlace(place), tests: [test] }, LONG_CALL.tests),
    onSuccess: (report, { isSaved }) => {
      if (!isSaved) return;
      client.setQueryData<KnownResults>(keys.place(place).testResults, (before) =>
        knownAfter(before, report, undefined),
      );
    },
  });
}

function noteResult(...[client, place, name, result]: NotedResult): void {
  client.setQueryData<KnownResults>(keys.place(place).testResults, (before) =>
    knownAfterChange(before, name, result),
  );
}

type NotedResult = [
  client: QueryClient,
  place: Place,
  /** The test before the change; undefined: it is new. */
  name: string | undefined,
  result?: StoryTestResult | undefined,
];

interface SavedTest {
  test: StoryTest;
  replaces: string | undefined;
  /** The result of just this test; undefined: it did not run. */
  result: StoryTestResult | undefined;
}

const OLD = ['tests', 'story', 'stories', 'drafts', 'versions'] as const;

/**
 * Returns what stores a test; `replaces`: the name of the one that it takes the place of. `before` looks at the tests as they
 * are just before, and may throw.
 */
export function useSaveTest(
  place: Place,
  { before, onDone }: { before: (now: StoryTest[]) => void; onDone: (test: StoryTest) => void },
) {
  const client = useQueryClient();
  return useChange(
    async ({ test, replaces, result }: SavedTest) => {
      const now = await readTests(place);
      if (test.name !== replaces && now.some(({ name }) => name === test.name))
        throw new Error(`The story has another test of the name ${isolated(test.name)}.`);
      before(now);
      await storeTest(place, test, replaces);
      // The page shows next what was stored, before the list is read again.
      client.setQueryData<StoryTest[]>(keys.place(place).tests, (tests = []) =>
        tests.some(({ name }) => name === replaces)
          ? tests.map((each) => (each.name === replaces ? test : each))
          : [...tests, test],
      );
      noteResult(client, place, replaces, result);
      return test;
    },
    { did: 'Test saved.', old: OLD, onDone },
  );
}

function storeTest(place: Place, test: StoryTest, replaces: string | undefined) {
  return api.stories.tests.save({
    ...inPlace(place),
    test,
    ...(replaces !== undefined && { replaces }),
  });
}

/** Returns what deletes a test; its message undoes that. */
export function useDeleteTest(place: Place, onDone: () => void) {
  const client = useQueryClient();
  const undoing = useChange((test: StoryTest) => storeTest(place, test, undefined), {
    did: 'Test restored.',
    old: OLD,
  });
  return useChange(
    async (test: StoryTest) => {
      await api.stories.tests.delete({ ...inPlace(place), name: test.name });
      client.setQueryData<StoryTest[]>(keys.place(place).tests, (tests = []) =>
        tests.filter(({ name }) => name !== test.name),
      );
      noteResult(client, place, test.name);
      say(`Test ${isolated(test.name)} deleted.`, 'ok', { name: 'Undo', onDo: () => undoing.mutate(test) });
    },
    { old: OLD, onDone },
  );
}

/** The start of a test that is kept: a past run, or what a trial began with; and the responses that somebody gave. */
export type KeptStart = Pick<KeptStoryRun, 'run_guid' | 'event' | 'action' | 'responses'>;

/** Returns what keeps a run or a trial as a test of its story, under a name that none of its tests has. */
export function useKeepRun(place: Place, onDone: (test: StoryTest) => void) {
  return useChange(
    async ({ start, name }: { start: KeptStart; name: string }) => {
      const tests = await readTests(place);
      const free = freeName(
        name,
        tests.map((each) => each.name),
      );
      const { test } = await api.stories.tests.fromRun.keep(
        { ...inPlace(place), ...start, name: free, save: true },
        LONG_CALL.tests,
      );
      return test;
    },
    { did: 'Kept as a test.', old: OLD, onDone },
  );
}

/** Returns the name of a run that is kept: its story, and what the run is about. */
export function nameOfRun(story: string, { subject }: { subject: string | null }): string {
  return subject === null || subject.trim() === '' ? story : `${story}: ${subject}`;
}
