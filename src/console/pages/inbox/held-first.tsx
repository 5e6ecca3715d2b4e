import '../../ui/card.css';
import '../../ui/lists/lines.css';
import './inbox.css';
import { Link } from 'wouter';
import type { InboxEntry } from '../../../../clients/typescript/api.js';
import { isolated } from '../../text/isolated.js';
import { nounWords } from '../../ui/words/figures.js';
import { Time } from '../../ui/words/time.js';
import { useHeldFirst } from './inbox-data.js';
import { entryButton, entryPath, KIND_ICONS, untilWords } from './inbox-words.js';

const MOST = 3;
const TONES = { error: 'bad', warning: 'warn', note: 'faint' } as const;

/** The most severe entries of the inbox that are no failures, each with its button; nothing if there are none. */
export function HeldFirst() {
  const entries = useHeldFirst().data ?? [];
  if (entries.length === 0) return null;
  const rest = entries.length - MOST;
  return (
    <section className="card" aria-label="Held and at risk">
      <ul>
        {entries.slice(0, MOST).map((entry) => (
          <HeldLine key={entry.key} entry={entry} />
        ))}
        {rest > 0 && (
          <li className="line">
            <Link href="/inbox">{nounWords(rest, 'more entry', 'more entries')} in the inbox</Link>
          </li>
        )}
      </ul>
    </section>
  );
}

function HeldLine({ entry }: { entry: InboxEntry }) {
  const { kind, severity, title, first_seen: first } = entry;
  const Icon = KIND_ICONS[kind];
  const until = untilWords(entry);
  const { path, name } = entryButton(entry, false);
  return (
    <li className="line held-line">
      <span className={`inbox-sign ${TONES[severity]}`}>
        <Icon aria-hidden="true" />
      </span>
      <span className="grow wrap">
        <Link href={entryPath(entry)}>{title}</Link>{' '}
        <span className="faint">
          {until}
          {first !== null && <Time at={first} prefix={until === undefined ? 'since ' : ', since '} />}
        </span>
      </span>
      <Link href={path} className="button" aria-label={`${name}: ${isolated(title)}`}>
        {name}
      </Link>
    </li>
  );
}
