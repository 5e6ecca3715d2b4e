import { Check } from 'lucide-react';
import { useId } from 'react';
import { Link } from 'wouter';
import type { Action, StoryTestDifference } from '../../../../../../clients/typescript/api.js';
import { Button } from '../../../../ui/form/button.js';
import { nounWords } from '../../../../ui/words/figures.js';
import { coveragePath } from '../../story-address.js';
import type { Place } from '../../story-data.js';
import { mayExpect } from '../model/expect-found.js';
import { expectedWords, isNothing, lengthWords, placeWords } from '../model/test-words.js';
import styles from './results.module.css';

/** A value that is longer is cut: the JSON of the test has all of it. */
const MOST_CHARACTERS = 2_000;

interface TestDifferencesProps {
  differences: readonly StoryTestDifference[];
  /** The actions of the story, to lead to them. */
  actions: readonly Pick<Action, 'id' | 'name'>[];
  place: Place;
  /** Takes what was found into the test; undefined: the person may not change it. */
  onExpect: ((differences: readonly StoryTestDifference[]) => void) | undefined;
}

/** Expected values beside those that the run gave, by action. */
export function TestDifferences({ differences, actions, place, onExpect }: TestDifferencesProps) {
  const names = [...new Set(differences.map(({ action }) => action))];
  const expectable = differences.filter(({ instead }) => instead !== undefined);
  return (
    <>
      {names.map((action) => (
        <section key={action} className={styles['action']} aria-label={action}>
          <h4 className="wrap">
            <ActionLink name={action} actions={actions} place={place} />
          </h4>
          <ul className="stack">
            {differences
              .filter((each) => each.action === action)
              .map((difference) => (
                <Difference
                  key={`${difference.kind} ${difference.index} ${difference.path}`}
                  difference={difference}
                  onExpect={
                    onExpect !== undefined && mayExpect(difference, differences)
                      ? () => onExpect([difference])
                      : undefined
                  }
                />
              ))}
          </ul>
        </section>
      ))}
      {onExpect !== undefined && expectable.length > 1 && (
        <div>
          <Button onClick={() => onExpect(expectable)}>
            Expect all {nounWords(expectable.length, 'value')} that were found
          </Button>
        </div>
      )}
    </>
  );
}

/** The name of an action, which leads to it on the canvas. */
function ActionLink(props: Pick<TestDifferencesProps, 'actions' | 'place'> & { name: string }) {
  const { name, actions, place } = props;
  const id = actions.find((action) => action.name === name)?.id;
  if (id === undefined) return name;
  return (
    <Link href={coveragePath(place.storyId, place.draftId, id)} title="Show it on the canvas">
      {name}
    </Link>
  );
}

function Difference(props: { difference: StoryTestDifference; onExpect: (() => void) | undefined }) {
  const { difference, onExpect } = props;
  const id = useId();
  const isLength = difference.index === null;
  return (
    <li className={styles['difference']}>
      <code id={id} className="wrap">
        {placeWords(difference)}
      </code>
      <div className={styles['sides']}>
        <div className={`${styles['side']} ${styles['expected']}`}>
          <span className={styles['side-name']}>Expected</span>
          {isLength ? (
            lengthWords(difference.kind, Number(difference.expected))
          ) : (
            <Expected value={difference.expected} />
          )}
        </div>
        <div className={`${styles['side']} ${styles['found']}`}>
          <span className={styles['side-name']}>Found</span>
          {isLength ? (
            <FoundList difference={difference} />
          ) : (
            <Value value={isNothing(difference) ? undefined : difference.found} />
          )}
        </div>
      </div>
      {difference.cause !== null && <p className="wrap">Because {difference.cause}.</p>}
      {onExpect !== undefined && (
        <div>
          <Button aria-describedby={id} onClick={onExpect}>
            <Check aria-hidden="true" /> Expect what was found
          </Button>
        </div>
      )}
    </li>
  );
}

function FoundList({ difference: { kind, found, instead } }: { difference: StoryTestDifference }) {
  return (
    <>
      {lengthWords(kind, Number(found))}
      {Array.isArray(instead) && instead.length > 0 && <Value value={instead} />}
    </>
  );
}

function Expected({ value }: { value: unknown }) {
  const shown = expectedWords(value);
  return (
    <>
      {shown.words !== undefined && <span>{shown.words} </span>}
      {Object.hasOwn(shown, 'value') && <Value value={shown.value} />}
    </>
  );
}

function Value({ value }: { value: unknown }) {
  if (value === undefined) return <span className="soft">nothing</span>;
  // A text is shown by its lines, not by their escapes.
  const text =
    typeof value === 'string' && value.includes('\n')
      ? `"${value}"`
      : (JSON.stringify(value, null, 2) ?? 'null');
  const rest = text.length - MOST_CHARACTERS;
  return (
    <>
      <pre className={styles['value']}>{text.slice(0, MOST_CHARACTERS)}</pre>
      {rest > 0 && <span className="soft">{nounWords(rest, 'more character')}</span>}
    </>
  );
}
