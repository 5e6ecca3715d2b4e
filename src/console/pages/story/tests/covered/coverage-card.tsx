import '../../../../ui/lists/lines.css';
import { useState } from 'react';
import { Link } from 'wouter';
import type { Action, StoryTestCoverage } from '../../../../../../clients/typescript/api.js';
import { Button } from '../../../../ui/form/button.js';
import { Card } from '../../../../ui/card.js';
import { nounWords } from '../../../../ui/words/figures.js';
import { coveragePath } from '../../story-address.js';
import type { Place } from '../../story-data.js';
import { type MissingPart, missingParts } from '../model/coverage-marks.js';
import { coverageWords } from '../model/test-words.js';
import styles from './coverage.module.css';

/** So many parts are read at a glance; the others are a press away. */
const SHOWN = 12;

const KIND_WORDS: Readonly<Record<MissingPart['kind'], string>> = {
  action: 'action',
  link: 'link',
  branch: 'branch of a rule',
};

interface CoverageCardProps {
  coverage: StoryTestCoverage;
  actions: readonly Pick<Action, 'id' | 'name' | 'guid'>[];
  place: Place;
}

/** The parts of the story that its tests reach, and a list of those that none does, each of which leads to the canvas. */
export function CoverageCard({ coverage, actions, place: { storyId, draftId } }: CoverageCardProps) {
  const [isWhole, setWhole] = useState(false);
  const missing = missingParts(coverage, actions);
  const shown = isWhole ? missing : missing.slice(0, SHOWN);
  return (
    <Card
      title="Coverage"
      aside={
        <>
          <span className="soft">{coverageWords(coverage)}</span>
          <Link href={coveragePath(storyId, draftId)}>Show on the canvas</Link>
        </>
      }
    >
      <div className={styles['bar']} role="img" aria-label={`Tests reach ${coverageWords(coverage)}`}>
        <span style={{ width: `${coverage.all === 0 ? 0 : (coverage.covered / coverage.all) * 100}%` }} />
      </div>
      {missing.length === 0 ? (
        <p className={styles['note']}>Tests reach every action, link and branch.</p>
      ) : (
        <>
          <h3 className={styles['note']}>No test reaches</h3>
          <ul>
            {shown.map(({ kind, text, actionId }) => (
              <li key={`${kind} ${text}`} className="line row">
                <span className={`${styles['kind']} faint`}>{KIND_WORDS[kind]}</span>
                {actionId === undefined ? (
                  <span className="grow wrap">{text}</span>
                ) : (
                  <Link
                    className="grow wrap"
                    href={coveragePath(storyId, draftId, actionId)}
                    data-opens-row=""
                  >
                    {text}
                  </Link>
                )}
              </li>
            ))}
          </ul>
          {shown.length < missing.length && (
            <div className={styles['note']}>
              <Button onClick={() => setWhole(true)}>
                Show {nounWords(missing.length - shown.length, 'more part')}
              </Button>
            </div>
          )}
        </>
      )}
    </Card>
  );
}
