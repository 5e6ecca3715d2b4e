import type { StoryTestsReport } from './run-tests.js';
import type { CoveredAction, TestCoverage } from './test-coverage.js';

/** Returns the results of tests as the API and the command line show them (spec §5.12). */
export function presentTestsReport({ ok, results, coverage }: Omit<StoryTestsReport, 'story'>) {
  return {
    ok,
    results: results.map(({ name, ok: passed, tookMs, differences, problems }) => ({
      name,
      ok: passed,
      took_ms: tookMs,
      differences,
      problems,
    })),
    coverage,
  };
}

/** Returns a sentence for each part of the story that no test reaches, without what follows from a part before it. */
export function uncoveredTexts({ actions, links, rules }: TestCoverage): string[] {
  const missed = new Set(actions.filter(({ covered }) => !covered).map(keyOf));
  const isReached = (action: CoveredAction) => !missed.has(keyOf(action));
  return [
    ...actions.filter(({ covered }) => !covered).map(({ name }) => `no test reaches "${name}"`),
    ...links
      .filter(({ source, receiver, covered }) => !covered && isReached(source) && isReached(receiver))
      .map(
        ({ source, receiver, kind }) => `no test takes "${source.name}" > "${receiver.name}"${KINDS[kind]}`,
      ),
    ...rules
      .filter(({ action }) => isReached(action))
      .flatMap(({ action, rule, holds, fails }) => [
        ...(holds ? [] : [`no test sees rule ${rule + 1} of "${action.name}" hold`]),
        ...(fails ? [] : [`no test sees rule ${rule + 1} of "${action.name}" fail`]),
      ]),
  ];
}

const keyOf = ({ name, guid }: CoveredAction): string => guid ?? name;

const KINDS: Record<TestCoverage['links'][number]['kind'], string> = {
  normal: '',
  secondary: ' (no match)',
  failure: ' (failure)',
};
