import type { StepConflict } from '../../../../clients/typescript/api.js';
import { pathWords, textOf } from '../editor/publish/difference-groups.js';
import styles from './steps.module.css';

/** The side whose value counts. */
export type StepSide = 'story' | 'step';

const SIDES: readonly [side: StepSide, name: string][] = [
  ['story', 'Story'],
  ['step', 'Step'],
];

interface StepConflictsProps {
  conflicts: readonly StepConflict[];
  /** The chosen sides, by the entries of conflicts. */
  choices: ReadonlyMap<string, StepSide>;
  onChoose: (entry: string, side: StepSide) => void;
}

/** The values that step and story have both changed, with a choice for each. */
export function StepConflicts({ conflicts, choices, onChoose }: StepConflictsProps) {
  return conflicts.map(({ entry, action, kind, path, because, base, ...values }) => (
    <fieldset key={entry} className={styles['conflict']}>
      <legend className="wrap">
        <bdi>{action ?? kind}</bdi>
        {path !== null && <code> {pathWords(path)}</code>}
      </legend>
      {because !== null && <p className="soft">{because}.</p>}
      {base !== null && (
        <div className={styles['before']}>
          <span className="soft">Before</span>
          <Value of={base} />
        </div>
      )}
      {SIDES.map(([side, name]) => (
        <label key={side} className={styles['side']}>
          <span className="row">
            <input
              type="radio"
              name={entry}
              checked={choices.get(entry) === side}
              onChange={() => onChoose(entry, side)}
            />
            {name}
          </span>
          <Value of={values[side]} />
        </label>
      ))}
    </fieldset>
  ));
}

function Value({ of }: { of: unknown }) {
  const text = textOf(of);
  if (text === '') return <span className="faint">none</span>;
  return <pre className={styles['value']}>{text}</pre>;
}
