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

/** So much is shown without scrolling in the narrowest place. */
const SHOWN = { characters: 160, lines: 5 };

const mayScroll = (text: string) =>
  text.length > SHOWN.characters || text.split('\n', SHOWN.lines + 1).length > SHOWN.lines;

function Value({ kind, text, isCut, missing }: RenderedValue) {
  return (
    <>
      <span className="faint">{kind}</span>
      {/* It is scrolled by keys, too. */}
      <output className={styles['result']} {...(mayScroll(text) && { tabIndex: 0 })}>
        {text}
      </output>
      {isCut && <span className="faint">shortened</span>}
      {missing.length > 0 && <span className="warn wrap">not in the sample: {missing.join(', ')}</span>}
    </>
  );
}
