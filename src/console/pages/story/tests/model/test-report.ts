import type {
  StoryTestCoverage,
  StoryTestReport,
  StoryTestResult,
} from '../../../../../../clients/typescript/api.js';

/** The knowledge of this page about the tests of a story: the last result of each, and the coverage of the last run of all. */
export interface KnownResults {
  /** By the name of the test. */
  results: ReadonlyMap<string, StoryTestResult>;
  coverage: StoryTestCoverage | undefined;
  /** When the story was edited last before all ran. */
  editedAt: string | undefined;
}

/** Returns what is known after a run: of all tests the whole of it, of some their results beside the others. */
export function knownAfter(
  before: KnownResults | undefined,
  { results, coverage }: StoryTestReport,
  all: { editedAt: string | undefined } | undefined,
): KnownResults {
  const ran = results.map((result): [string, StoryTestResult] => [result.name, result]);
  if (all !== undefined) return { results: new Map(ran), coverage, editedAt: all.editedAt };
  return {
    results: new Map([...(before?.results ?? []), ...ran]),
    coverage: before?.coverage,
    editedAt: before?.editedAt,
  };
}

/** Returns what is known once a test was changed or deleted: `result` is that of its new text, if it ran. */
export function knownAfterChange(
  before: KnownResults | undefined,
  name: string | undefined,
  result?: StoryTestResult,
): KnownResults {
  const others = [...(before?.results ?? [])].filter(([each]) => each !== name);
  return {
    results: new Map([...others, ...(result === undefined ? [] : [[result.name, result] as const])]),
    coverage: before?.coverage,
    editedAt: before?.editedAt,
  };
}

/** A result that is stored with a story, a version or a change request. */
export interface StoredTestResult {
  ok: boolean;
  passed: number;
  failed: number;
  /** Parts of the story that tests reach, of all. */
  covered: number;
  all: number;
}

/** Returns the counts of a report. */
export function summaryOf({ ok, results, coverage: { covered, all } }: StoryTestReport): StoredTestResult {
  const passed = results.filter((result) => result.ok).length;
  return { ok, passed, failed: results.length - passed, covered, all };
}
