import { useView } from './editor-context.js';
import styles from './editor.module.css';

/** Tells screen readers what has just happened. */
export function LiveRegion() {
  const { text, at } = useView(({ said }) => said);
  return (
    <div className={styles['unseen']} role="log" aria-live="polite">
      {/* Another element, so that an equal text is told again. */}
      <span key={at}>{text}</span>
    </div>
  );
}
