import type {
  Action,
  StoryTestDifference,
  StoryTestResult,
} from '../../../../../../clients/typescript/api.js';
import { nounWords } from '../../../../ui/words/figures.js';
import type { Place } from '../../story-data.js';
import { TestDifferences } from './test-differences.js';
import styles from './results.module.css';
import { TestState } from './test-state.js';

interface ResultViewProps {
  /** Undefined: it did not run on this page. */
  result: StoryTestResult | undefined;
  isRunning: boolean;
  /** Whether the test was changed since. */
  isOld: boolean;
  actions: readonly Pick<Action, 'id' | 'name'>[];
  place: Place;
  onExpect: ((differences: readonly StoryTestDifference[]) => void) | undefined;
}

/** How a test ended: what differs, and what kept its run from going as it would on a server. */
export function ResultView({ result, isRunning, isOld, actions, place, onExpect }: ResultViewProps) {
  return (
    <>
      <div className="row row-wrap" role="status">
        <TestState result={result} isRunning={isRunning} />
        {result !== undefined && <span className="soft">{wordsOf(result)}</span>}
        {result !== undefined && isOld && <span className="warn">Changed since this run.</span>}
      </div>
      {result === undefined && !isRunning && (
        <p className="soft">A test runs in memory. Nothing is sent or stored.</p>
      )}
      {result !== undefined && result.problems.length > 0 && (
        <ul className={styles['problems']}>
          {result.problems.map((problem) => (
            <li key={problem} className="bad wrap">
              {problem}.
            </li>
          ))}
        </ul>
      )}
      {result !== undefined && (
        <TestDifferences
          differences={result.differences}
          actions={actions}
          place={place}
          onExpect={isOld ? undefined : onExpect}
        />
      )}
    </>
  );
}

function wordsOf({ ok, took_ms: took, differences, problems }: StoryTestResult): string {
  if (ok) return `All is as expected. It took ${took} ms.`;
  const counts = [
    ...(differences.length === 0 ? [] : [nounWords(differences.length, 'difference')]),
    ...(problems.length === 0 ? [] : [nounWords(problems.length, 'problem')]),
  ];
  return `${counts.join(', ')}.`;
}
