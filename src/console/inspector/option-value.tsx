import { hasEntries } from '../text/exact-json.js';
import { Json } from '../ui/json.js';
import styles from './options.module.css';
import { templateParts } from './template-parts.js';

/** Deeper than that, JSON is easier to read. */
const DEEPEST = 3;

/** One value of an option: text with its templates marked and its lines as they are, a list, an object, a plain value. */
export function OptionValue({ value, depth }: { value: unknown; depth: number }) {
  if (typeof value === 'string') return <Text text={value} />;
  if (!hasEntries(value)) return <code>{String(value)}</code>;
  const parts = Object.entries(value);
  if (parts.length === 0)
    return <span className="faint">{Array.isArray(value) ? 'empty list' : 'empty'}</span>;
  if (depth >= DEEPEST) return <Json value={value} />;
  return (
    <dl className={styles['parts']}>
      {parts.map(([name, part]) => (
        <div key={name}>
          <dt>
            <code className="wrap">{Array.isArray(value) ? Number(name) + 1 : name}</code>
          </dt>
          <dd>
            <OptionValue value={part} depth={depth + 1} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Text({ text }: { text: string }) {
  if (text === '') return <span className="faint">empty text</span>;
  return (
    <div className={styles['text']}>
      {templateParts(text).map(({ at, part, isTemplate }) =>
        isTemplate ? <mark key={at}>{part}</mark> : <span key={at}>{part}</span>,
      )}
    </div>
  );
}
