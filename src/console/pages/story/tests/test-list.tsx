import '../../../ui/lists/table.css';
import { FlaskConical, Play, Plus } from 'lucide-react';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import type { ActiveStory, StoryTest, StoryTestResult } from '../../../../../clients/typescript/api.js';
import { isolated } from '../../../text/isolated.js';
import { Button, IconButton } from '../../../ui/form/button.js';
import { OPENS_ROW } from '../../../ui/lists/open-rows.js';
import { Nothing } from '../../../ui/states.js';
import { GUARD_WORDS } from '../story-guards.js';
import { testPath } from '../story-address.js';
import { type Place, useGraph } from '../story-data.js';
import { CoverageCard } from './covered/coverage-card.js';
import { KeepRunDialog } from './keep-run-dialog.js';
import type { KnownResults } from './model/test-report.js';
import { coverageWords, outcomeWords } from './model/test-words.js';
import { TestState } from './results/test-state.js';
import { useIsOutdated, useKnownResults, useRunTests } from './tests-data.js';
import styles from './tests.module.css';
import { useTestRights } from './use-test-rights.js';

interface TestListProps {
  story: ActiveStory;
  place: Place;
  tests: readonly StoryTest[];
}

/** The tests of a story with how each ended on this page, and what they cover together. */
export function TestList({ story, place, tests }: TestListProps) {
  const [, go] = useLocation();
  const [isKeeping, setKeeping] = useState(false);
  const { mayWrite, mayRun, guard } = useTestRights(place);
  const running = useRunTests(place);
  const known = useKnownResults(place);
  const actions = useGraph(place).data?.actions ?? [];
  const keep = mayWrite && (
    <Button onClick={() => setKeeping(true)}>
      <FlaskConical aria-hidden="true" /> Keep a run as a test
    </Button>
  );
  const write = mayWrite && (
    <Button onClick={() => go(testPath(place.storyId, place.draftId, undefined))}>
      <Plus aria-hidden="true" /> Write a test
    </Button>
  );
  const dialog = isKeeping && (
    <KeepRunDialog
      story={story}
      place={place}
      onClose={() => setKeeping(false)}
      onKept={({ name }) => go(testPath(place.storyId, place.draftId, name))}
    />
  );
  if (tests.length === 0) {
    return (
      <>
        <Nothing title="This story has no tests yet." icon={<FlaskConical aria-hidden="true" />}>
          <p className={styles['explained']}>
            A test runs the story in memory, with responses that it brings, and compares what the actions do
            with what you expect. Nothing is sent, so you can run all of them after each change.
          </p>
          {guard !== undefined && <p>{GUARD_WORDS[guard]} Write tests in a draft.</p>}
          <div className="row row-wrap">
            {keep}
            {write}
          </div>
        </Nothing>
        {dialog}
      </>
    );
  }
  const names = running.isPending ? (running.variables ?? tests.map(({ name }) => name)) : [];
  return (
    <>
      <div className="row row-wrap">
        <Outcome place={place} tests={tests} known={known} isRunning={running.isPending} />
        {keep}
        {write}
        {mayRun && (
          <Button look="main" disabled={running.isPending} onClick={() => running.mutate(undefined)}>
            <Play aria-hidden="true" />{' '}
            {running.isPending && running.variables === undefined ? 'Running…' : 'Run all'}
          </Button>
        )}
      </div>
      {guard !== undefined && <p className="soft">{GUARD_WORDS[guard]} Change tests in a draft.</p>}
      <div className="table-frame">
        <table className="table">
          <thead>
            <tr>
              <th>State</th>
              <th className="fill">Test</th>
              <th className="wide">Starts at</th>
              <th className="wider fill">Result</th>
              <th>
                <span className="unseen">Run</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {tests.map((test) => (
              <TestRow
                key={test.name}
                test={test}
                place={place}
                result={known?.results.get(test.name)}
                isRunning={names.includes(test.name)}
                mayRun={mayRun}
                onRun={mayRun && !running.isPending ? () => running.mutate([test.name]) : undefined}
              />
            ))}
          </tbody>
        </table>
      </div>
      {known?.coverage !== undefined && (
        <CoverageCard coverage={known.coverage} actions={actions} place={place} />
      )}
      {dialog}
    </>
  );
}

interface TestRowProps {
  test: StoryTest;
  place: Place;
  result: StoryTestResult | undefined;
  isRunning: boolean;
  mayRun: boolean;
  /** Undefined: it cannot be run now. */
  onRun: (() => void) | undefined;
}

function TestRow({ test: { name, action }, place, result, isRunning, mayRun, onRun }: TestRowProps) {
  const [fault = ''] = [...(result?.problems ?? []), ...(result?.differences.map(({ text }) => text) ?? [])];
  return (
    <tr>
      <td className="nowrap">
        <TestState result={result} isRunning={isRunning} />
      </td>
      <td className="fill">
        <Link href={testPath(place.storyId, place.draftId, name)} className="one-line" {...OPENS_ROW}>
          {name}
        </Link>
        {fault !== '' && <span className={`${styles['below']} faint`}>{fault}</span>}
      </td>
      <td className="wide short soft">{action ?? 'the usual start'}</td>
      <td className="wider fill">
        <span className="one-line soft">{fault}</span>
      </td>
      <td>
        {mayRun && (
          <IconButton label={`Run ${isolated(name)}`} disabled={onRun === undefined} onClick={onRun}>
            <Play />
          </IconButton>
        )}
      </td>
    </tr>
  );
}

interface OutcomeProps {
  place: Place;
  tests: readonly StoryTest[];
  known: KnownResults | undefined;
  isRunning: boolean;
}

/** How the tests ended, said to readers as well. */
function Outcome({ place, tests, known, isRunning }: OutcomeProps) {
  const isOld = useIsOutdated(place);
  const results = tests.flatMap(({ name }) => known?.results.get(name) ?? []);
  const passed = results.filter(({ ok }) => ok).length;
  const left = tests.length - results.length;
  return (
    <p className={styles['outcome']} role="status">
      {isRunning ? (
        'The tests run.'
      ) : (
        <>
          {results.length === 0
            ? 'The tests did not run on this page yet.'
            : outcomeWords({ passed, failed: results.length - passed })}
          {results.length > 0 && left > 0 && ` ${left} did not run.`}
          {known?.coverage !== undefined && <> They reach {coverageWords(known.coverage)}.</>}
          {isOld && <span className="warn"> The story was changed since.</span>}
        </>
      )}
    </p>
  );
}
