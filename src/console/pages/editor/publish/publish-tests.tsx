import type { StoryTestReport } from '../../../../../clients/typescript/api.js';
import { Answer } from '../../../ui/states.js';
import { TestsSummary } from '../../story/tests/results/tests-summary.js';
import { type DraftOf, useDraftTests } from './publish-data.js';
import styles from './publish.module.css';

/** What the tests of a draft give, before it is published. */
export function PublishTests({ place }: { place: DraftOf }) {
  return (
    <Answer of={useDraftTests(place)} lines={1}>
      {(report) => <Tests report={report} />}
    </Answer>
  );
}

function Tests({ report: { ok, results, coverage } }: { report: StoryTestReport }) {
  if (results.length === 0) return <p className="soft">The draft has no tests.</p>;
  const failed = results.filter((result) => !result.ok);
  const { covered, all } = coverage;
  const passed = results.length - failed.length;
  return (
    <>
      <TestsSummary result={{ ok, passed, failed: failed.length, covered, all }} />
      {failed.length > 0 && (
        <ul className={styles['findings']} aria-label="Tests that fail">
          {failed.map(({ name, differences, problems }) => (
            <li key={name} className="wrap">
              <bdi>{name}</bdi>:{' '}
              {[...problems, ...differences.map(({ text }) => text)].slice(0, MOST_TOLD).join('; ')}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

/** Differences that are told of one test; its page has all. */
const MOST_TOLD = 3;
