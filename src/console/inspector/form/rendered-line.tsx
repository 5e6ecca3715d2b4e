import type { FieldNotes } from './field-context.js';
import styles from './form.module.css';

/** The value of a template below its field: what it gives in the sample, and what is wrong with it. */
export function RenderedLine({ faults, rendered }: FieldNotes) {
  const errors = faults.filter(({ isError }) => isError);
  if (errors.length > 0) {
    return (
      <div className={styles['rendered']} role="status">
        {errors.map(({ from, message }) => (
          <p key={`${from} ${message}`} className="bad wrap">
            {message}
          </p>
        ))}
      </div>
    );
  }
  if (rendered === undefined) return null;
  return (
    <div className={styles['rendered']}>
      <span className="faint">{rendered.kind}</span>
      <output className={styles['result']}>{rendered.text}</output>
      {rendered.isCut && <span className="faint">shortened</span>}
      {rendered.missing.length > 0 && (
        <span className="warn wrap">not in the sample: {rendered.missing.join(', ')}</span>
      )}
    </div>
  );
}
