import { useState } from 'react';
import { Link } from 'wouter';
import type { ActiveStory, StoryTestReport, StoryTestResult } from '../../../../../clients/typescript/api.js';
import { useMay } from '../../../api/signed-in.js';
import { Button } from '../../../ui/form/button.js';
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

/** Failing tests that are listed at first: the button that publishes stands below them. */
const MOST_FAILED = 10;

function Tests({ story, draft, report }: PublishTestsProps & { report: StoryTestReport }) {
  const { ok, results, coverage } = report;
  const [shown, setShown] = useState(MOST_FAILED);
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
            {failed.slice(0, shown).map((result) => (
              <FailedTest
                key={result.name}
                result={result}
                href={testPath(story.id, draft.id, result.name)}
              />
            ))}
          </ul>
          {failed.length > shown && (
            <div>
              <Button onClick={() => setShown(failed.length)}>
                Show {nounWords(failed.length - shown, 'more failing test')}
              </Button>
            </div>
          )}
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
