import { JsonView } from '../../../ui/json-view/json-view.js';
import styles from '../editor.module.css';

interface SampleInputProps {
  /** One key for each action before it; undefined without a sample. */
  sample: unknown;
  /** A part of it was deleted, or is too large. */
  isIncomplete: boolean;
  /** The sample is on its way. */
  isPending: boolean;
  onInsert: (steps: readonly (string | number)[]) => void;
}

/** The input of the action in the sample, to be looked at and pointed at. */
export function SampleInput({ sample, isIncomplete, isPending, onInsert }: SampleInputProps) {
  if (sample === undefined) {
    if (isPending) return null;
    return (
      <p className="faint">No sample: fields show no values. Run the story once, or choose a run above.</p>
    );
  }
  return (
    <details className={styles['input']}>
      <summary>Input in the sample</summary>
      {isIncomplete && <p className="warn">A part of this sample was deleted, or is too large to be read.</p>}
      <JsonView label="Input in the sample" value={sample} onInsert={onInsert} />
    </details>
  );
}
