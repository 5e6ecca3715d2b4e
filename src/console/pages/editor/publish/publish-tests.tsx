import { Link } from 'wouter';
import type { ActiveStory, StoryTestReport, StoryTestResult } from '../../../../../clients/typescript/api.js';
import { useMay } from '../../../api/signed-in.js';
import { Answer } from '../../../ui/states.js';
import { nounWords } from '../../../ui/words/figures.js';
import { testPath } from '../../story/story-address.js';
import { TestsSummary } from '../../story/tests/results/tests-summary.js';
import { useStoryPolicy } from '../../team/settings/test-policy.js';
import { type TestedDraft, useDraftTests } from './publish-data.js';
import styles from './publish.module.css';

interface PublishTestsProps {
  story: Pick<ActiveStory, 'id' | 'team_id' | 'tests_on_publish'>;
  draft: TestedDraft;
}

/** The results of a draft's tests, before it is published. */
export function PublishTests({ story, draft }: PublishTestsProps) {
  return (
    <Answer of={useDraftTests(draft)} lines={1}>
      {(report) => <Tests story={story} draft={draft} report={report} />}
    </Answer>
  );
}

function Tests({ story, draft, report }: PublishTestsProps & { report: StoryTestReport }) {
  const { ok, results, coverage } = report;
  if (results.length === 0) return <p className="soft">The draft has no tests.</p>;
  const failed = results.filter((result) => !result.ok);
  const { covered, all } = coverage;
  const passed = results.length - failed.length;
  return (
    <>
      <TestsSummary result={{ ok, passed, failed: failed.length, covered, all }} />
      {failed.length > 0 && (
        <>
          <Consequence story={story} />
          <ul className={styles['findings']} aria-label="Tests that fail">
            {failed.map((result) => (
              <FailedTest
                key={result.name}
                result={result}
                href={testPath(story.id, draft.id, result.name)}
              />
            ))}
          </ul>
        </>
      )}
    </>
  );
}

/** Tells whether failing tests refuse the publication. */
function Consequence({ story }: Pick<PublishTestsProps, 'story'>) {
  const isAdmin = useMay('manage', story.team_id);
  const way = isAdmin
    ? 'You can publish all the same with a reason.'
    : 'A team admin can publish with a reason.';
  return (
    <Answer of={useStoryPolicy(story)} lines={1}>
      {(policy) => (
        <p className="warn">
          {policy === 'warn'
            ? 'Failing tests do not keep you from publishing.'
            : `Failing tests refuse this publication. ${way}`}
        </p>
      )}
    </Answer>
  );
}

/** Differences that are told of one test; its page has all. */
const MOST_TOLD = 3;

function FailedTest({ result, href }: { result: StoryTestResult; href: string }) {
  const { name, differences, problems } = result;
  const faults = [...problems, ...differences.map(({ text }) => text)];
  const rest = faults.length - MOST_TOLD;
  return (
    <li className="wrap">
      <Link href={href}>
        <bdi>{name}</bdi>
      </Link>
      <ul className={styles['faults']}>
        {faults.slice(0, MOST_TOLD).map((fault) => (
          <li key={fault}>{fault}</li>
        ))}
        {rest > 0 && <li className="soft">{nounWords(rest, 'more difference')}</li>}
      </ul>
    </li>
  );
}
