import { useEffect, useRef, useState } from 'react';
import { isLong } from './difference-groups.js';
import styles from './publish.module.css';

interface LineDiffProps {
  label: string;
  before: string;
  after: string;
}

/** Two texts: short ones one after the other, long ones line by line. */
export function LineDiff(props: LineDiffProps) {
  return isLong(props) && props.before !== '' && props.after !== '' ? (
    <Lines {...props} />
  ) : (
    <Plain {...props} />
  );
}

function Plain({ before, after }: LineDiffProps) {
  return (
    <span className={styles['values']}>
      {before !== '' && (
        <del>
          <code className="wrap">{before}</code>
        </del>
      )}
      {after !== '' && (
        <ins>
          <code className="wrap">{after}</code>
        </ins>
      )}
    </span>
  );
}

/** Its view is loaded when the first one is shown; the plain texts stand there until then. */
function Lines(props: LineDiffProps) {
  const { label, before, after } = props;
  const frame = useRef<HTMLDivElement>(null);
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    let destroy: (() => void) | undefined;
    let isGone = false;
    const open = async () => {
      const { createLineDiff } = await import('./line-diff-view.js');
      if (isGone || frame.current === null) return;
      destroy = createLineDiff(frame.current, { label, before, after });
      setShown(true);
    };
    // A chunk that cannot be loaded leaves the plain texts.
    open().catch(() => undefined);
    return () => {
      isGone = true;
      destroy?.();
    };
  }, [label, before, after]);
  return (
    <>
      {!isShown && <Plain {...props} />}
      <div ref={frame} />
    </>
  );
}
