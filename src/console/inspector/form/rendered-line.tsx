import { useLayoutEffect, useRef, useState } from 'react';
import type { FieldNotes, RenderedValue } from './field-context.js';
import styles from './form.module.css';
import { WholeValue } from './whole-value.js';

interface RenderedLineProps extends FieldNotes {
  /** The name of the field. */
  label: string;
  /** Reads the whole value, where it is shortened. */
  onWhole: () => Promise<string>;
  /** What the text itself is warned about. */
  remark?: string | undefined;
}

/** The value of a template below its field: what it gives in the sample, and what is wrong with it. */
export function RenderedLine({ label, faults, rendered, remark, onWhole }: RenderedLineProps) {
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
  if (rendered === undefined && remark === undefined) return null;
  return (
    <div className={styles['rendered']}>
      {rendered !== undefined && <Value {...rendered} />}
      {rendered?.isCut === true && <WholeValue label={label} read={onWhole} />}
      {remark !== undefined && (
        <span className="warn wrap" role="status">
          {remark}
        </span>
      )}
    </div>
  );
}

function Value({ kind, text, isCut, missing }: RenderedValue) {
  const result = useRef<HTMLOutputElement>(null);
  const [isScrolled, setScrolled] = useState(false);
  useLayoutEffect(() => {
    const { scrollHeight = 0, clientHeight = 0 } = result.current ?? {};
    setScrolled(scrollHeight > clientHeight);
  }, [text]);
  return (
    <>
      <span className="faint">{kind}</span>
      {/* One that is higher than its place is scrolled by keys, too. */}
      <output ref={result} className={styles['result']} tabIndex={isScrolled ? 0 : undefined}>
        {text}
      </output>
      {isCut && <span className="faint">shortened</span>}
      {missing.length > 0 && <span className="warn wrap">not in the sample: {missing.join(', ')}</span>}
    </>
  );
}
