import { JsonView } from '../../../ui/json-view/json-view.js';
import styles from '../editor.module.css';

interface SampleInputProps {
  /** One key for each action before it; undefined without a sample. */
  sample: unknown;
  onInsert: (steps: readonly (string | number)[]) => void;
}

/** The input of the action in the sample, to be looked at and pointed at. */
export function SampleInput({ sample, onInsert }: SampleInputProps) {
  if (sample === undefined) {
    return (
      <p className="faint">No sample: fields show no values. Run the story once, or choose a run above.</p>
    );
  }
  return (
    <details className={styles['input']}>
      <summary>Input in the sample</summary>
      <JsonView label="Input in the sample" value={sample} onInsert={onInsert} />
    </details>
  );
}
