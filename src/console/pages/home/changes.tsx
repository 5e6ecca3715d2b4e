import { History } from 'lucide-react';
import { Link } from 'wouter';
import type { AuditEntry } from '../../../../clients/typescript/api.js';
import { Card } from '../../ui/card.js';
import { Answer, Nothing } from '../../ui/states.js';
import { Time } from '../../ui/words/time.js';
import { changeWords } from './change-words.js';
import { useChanges } from './home-data.js';

/** The last changes to what runs, each with the person or key that made it. */
export function RecentChanges() {
  const changes = useChanges(true);
  return (
    <Card title="Recent changes" aside={<Link href="/audit">Audit log</Link>}>
      <Answer of={changes}>
        {(entries) =>
          entries.length === 0 ? (
            <Nothing title="No recent changes." icon={<History aria-hidden="true" />} />
          ) : (
            <ul className="lines">
              {entries.map((entry) => (
                <Change key={entry.id} entry={entry} />
              ))}
            </ul>
          )
        }
      </Answer>
    </Card>
  );
}

function Change({ entry }: { entry: AuditEntry }) {
  const words = changeWords(entry);
  const person = entry.user_name ?? entry.user_email ?? 'the command line';
  return (
    <li className="line row">
      <span className="grow cut" title={person}>
        {entry.story_id === null ? words : <Link href={`/stories/${entry.story_id}`}>{words}</Link>}{' '}
        <span className="soft">
          by <bdi>{person}</bdi>
        </span>
      </span>
      <span className="faint">
        <Time at={entry.created_at} />
      </span>
    </li>
  );
}
