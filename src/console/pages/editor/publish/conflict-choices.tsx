import type { DraftConflict } from '../../../../../clients/typescript/api.js';
import { Card } from '../../../ui/card.js';
import { pathWords, textOf } from './difference-groups.js';
import styles from './publish.module.css';

/** The story whose value counts. */
export type Side = 'live' | 'draft';
/** The chosen sides, by the entries of conflicts. */
export type Choices = ReadonlyMap<string, Side>;

interface ConflictChoicesProps {
  conflicts: readonly DraftConflict[];
  /** All conflicts, listed or not. */
  count: number;
  choices: Choices;
  onChoose: (entry: string, side: Side) => void;
}

/** What both have changed: base, live story and draft side by side, with a choice for each. */
export function ConflictChoices({ conflicts, count, choices, onChoose }: ConflictChoicesProps) {
  if (count === 0) return null;
  const rest = count - conflicts.length;
  return (
    <Card title="Changed by both">
      <div className={styles['inner']}>
        <p>The live story and the draft have changed these differently. Choose which value counts.</p>
        {conflicts.map((conflict) => (
          <Conflict
            key={conflict.entry}
            conflict={conflict}
            chosen={choices.get(conflict.entry)}
            onChoose={(side) => onChoose(conflict.entry, side)}
          />
        ))}
        {rest > 0 && (
          <p className="warn">
            {rest} more are not listed. Change them in the draft until it agrees with the live story.
          </p>
        )}
      </div>
    </Card>
  );
}

const SIDES: readonly [side: Side, name: string][] = [
  ['live', 'Live story'],
  ['draft', 'Draft'],
];

interface ConflictProps {
  conflict: DraftConflict;
  chosen: Side | undefined;
  onChoose: (side: Side) => void;
}

function Conflict({ conflict, chosen, onChoose }: ConflictProps) {
  const { entry, action, kind, path, base, because } = conflict;
  return (
    <fieldset className={styles['conflict']}>
      <legend className="wrap">
        <bdi>{action ?? kind}</bdi>
        {path !== null && <code> {pathWords(path)}</code>}
      </legend>
      {because !== null && <p className="soft">{because}.</p>}
      <div className={styles['sides']}>
        <div className={styles['side']}>
          <span className="soft">Base</span>
          <Value of={base} />
        </div>
        {SIDES.map(([side, name]) => (
          <label key={side} className={styles['side']}>
            <span className="row">
              <input type="radio" name={entry} checked={chosen === side} onChange={() => onChoose(side)} />
              {name}
            </span>
            <Value of={conflict[side]} />
          </label>
        ))}
      </div>
    </fieldset>
  );
}

function Value({ of }: { of: unknown }) {
  const text = textOf(of);
  return text === '' ? <span className="faint">none</span> : <pre className={styles['value']}>{text}</pre>;
}
