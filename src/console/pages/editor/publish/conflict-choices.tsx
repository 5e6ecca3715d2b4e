import { useId, useState } from 'react';
import type { DraftConflict } from '../../../../../clients/typescript/api.js';
import { Card } from '../../../ui/card.js';
import { Button } from '../../../ui/form/button.js';
import { nounWords } from '../../../ui/words/figures.js';
import { isLong, pathWords, textOf } from './difference-groups.js';
import styles from './publish.module.css';

/** The story whose value counts. */
export type Side = 'live' | 'draft';
/** Names of the sides. */
export interface SideNames {
  /** Said before the conflicts. */
  about: string;
  base: string;
  /** In a sentence. */
  words: Record<Side, string>;
  /** Above its value. */
  titles: Record<Side, string>;
}

const OF_DRAFTS: SideNames = {
  about: 'The live story and the draft have changed these differently. Choose which value counts.',
  base: 'Base',
  words: { live: 'the live story', draft: 'the draft' },
  titles: { live: 'Live story', draft: 'Draft' },
};

/** The chosen sides, by the entries of conflicts. */
export type Choices = ReadonlyMap<string, Side>;

interface ConflictChoicesProps {
  conflicts: readonly DraftConflict[];
  /** All conflicts, listed or not. */
  count: number;
  choices: Choices;
  /** The side of all conflicts without a choice of their own. */
  rest: Side | undefined;
  onChoose: (entry: string, side: Side) => void;
  /** Chooses one side for all, in place of what was chosen before. */
  onRest: (side: Side) => void;
  /** Lists more of those that are not listed. */
  onMore?: () => void;
  isListing?: boolean;
  names?: SideNames;
}

/** More at once make the browser slow. */
const SHOWN_AT_ONCE = 50;

/** Parts that both have changed: base, live story and draft side by side, with a choice for each. */
export function ConflictChoices(props: ConflictChoicesProps) {
  const { conflicts, count, choices, rest, onChoose, onRest, onMore, isListing, names = OF_DRAFTS } = props;
  const [shown, setShown] = useState(SHOWN_AT_ONCE);
  if (count === 0) return null;
  const unlisted = count - conflicts.length;
  const left = Math.max(0, conflicts.length - shown);
  return (
    <Card title="Changed by both">
      <div className={styles['inner']}>
        <p>{names.about}</p>
        {count > 1 && (
          <ForAll
            count={count}
            exceptions={[...choices.values()].filter((side) => side !== rest).length}
            rest={rest}
            onRest={onRest}
            words={names.words}
          />
        )}
        {conflicts.slice(0, shown).map((conflict) => (
          <Conflict
            key={conflict.entry}
            conflict={conflict}
            names={names}
            chosen={choices.get(conflict.entry) ?? rest}
            onChoose={(side) => onChoose(conflict.entry, side)}
          />
        ))}
        {left > 0 && (
          <div>
            <Button onClick={() => setShown(shown + SHOWN_AT_ONCE)}>
              Show {Math.min(left, SHOWN_AT_ONCE)} more of {left}
            </Button>
          </div>
        )}
        {unlisted > 0 && (
          <div className="row row-wrap">
            <p className="warn grow">
              {nounWords(unlisted, 'conflict')} not listed yet.
              {rest !== undefined && ` They use ${names.words[rest]}.`}
            </p>
            {onMore !== undefined && (
              <Button disabled={isListing} onClick={onMore}>
                List more conflicts
              </Button>
            )}
          </div>
        )}
      </div>
    </Card>
  );
}

interface ForAllProps extends Pick<ConflictChoicesProps, 'count' | 'rest' | 'onRest'> {
  exceptions: number;
  words: SideNames['words'];
}

/** Chooses one side for all; choices for single entries are exceptions then. */
function ForAll({ count, exceptions, rest, onRest, words }: ForAllProps) {
  return (
    <div className="row row-wrap" role="group" aria-label="All conflicts">
      {(['live', 'draft'] as const).map((side) => (
        <Button key={side} aria-pressed={rest === side && exceptions === 0} onClick={() => onRest(side)}>
          Take all of {words[side]}
        </Button>
      ))}
      <span className="soft" role="status">
        {rest === undefined
          ? nounWords(count, 'conflict')
          : exceptions === 0
            ? `All ${count} use ${words[rest]}.`
            : `All use ${words[rest]} except ${nounWords(exceptions, 'choice')} below.`}
      </span>
    </div>
  );
}

const SIDES: readonly Side[] = ['live', 'draft'];

interface ConflictProps {
  conflict: DraftConflict;
  names: SideNames;
  chosen: Side | undefined;
  onChoose: (side: Side) => void;
}

function Conflict({ conflict, names, chosen, onChoose }: ConflictProps) {
  const { action, kind, path, base, because } = conflict;
  // Conflicts of several stories on one page may have the same entry.
  const group = useId();
  return (
    <fieldset className={styles['conflict']}>
      <legend className="wrap">
        <bdi>{action ?? kind}</bdi>
        {path !== null && <code> {pathWords(path)}</code>}
      </legend>
      {because !== null && <p className="soft">{because}.</p>}
      <div className={styles['sides']}>
        <div className={styles['side']}>
          <span className="soft">{names.base}</span>
          <Value of={base} name={names.base} />
        </div>
        {SIDES.map((side) => (
          <label key={side} className={styles['side']}>
            <span className="row">
              <input type="radio" name={group} checked={chosen === side} onChange={() => onChoose(side)} />
              {names.titles[side]}
            </span>
            <Value of={conflict[side]} name={names.titles[side]} />
          </label>
        ))}
      </div>
    </fieldset>
  );
}

function Value({ of, name }: { of: unknown; name: string }) {
  const text = textOf(of);
  if (text === '') return <span className="faint">none</span>;
  // A value that does not fit scrolls, with the keyboard too.
  const scrolling = isLong({ before: text, after: '' })
    ? { tabIndex: 0, role: 'region', 'aria-label': name }
    : {};
  return (
    <pre className={styles['value']} {...scrolling}>
      {text}
    </pre>
  );
}
