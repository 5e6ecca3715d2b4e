import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { AuditEntry } from '../../../../clients/typescript/api.js';
import type { AddressChange } from '../../ui/browser/use-address.js';
import { Button } from '../../ui/form/button.js';
import { Dialog } from '../../ui/overlay/dialog.js';
import { Time } from '../../ui/words/time.js';
import { changeWords, nounOf } from '../home/change-words.js';
import { ChangedThing } from './changed-thing.js';
import { useTeamName } from '../team/team-filter.js';
import { useStoryNames } from '../runs/run-list-data.js';
import { viewPath } from '../story/story-address.js';
import { ChangedFields } from './changed-fields.js';
import { personOf } from './person-of.js';
import { isolated } from '../../text/isolated.js';

interface EntryDialogProps {
  entry: AuditEntry;
  onClose: () => void;
  /** Shows only entries that have something in common with this one. */
  onFilter: (only: AddressChange) => void;
}

/** One change with all that is known of it, and ways to those like it. */
export function EntryDialog({ entry, onClose, onFilter }: EntryDialogProps) {
  const { user_id: user, action, target_type: type, target_id: target } = entry;
  const storyName = useStoryNames().data?.get(entry.story_id ?? 0);
  return (
    <Dialog title={changeWords(entry)} wide onClose={onClose}>
      <div className="dialog-body stack">
        <ChangedFields changes={entry.changes} />
        <dl className="audit-facts">
          {factsOf(entry, { teamName: useTeamName(), storyName }).map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd className="wrap">{value}</dd>
            </div>
          ))}
        </dl>
      </div>
      <footer className="dialog-foot">
        {user !== null && <Button onClick={() => onFilter({ user })}>All changes by this user</Button>}
        {target !== null && (
          <Button onClick={() => onFilter({ type, target })}>All of this {nounOf(type)}</Button>
        )}
        <Button onClick={() => onFilter({ action })}>All changes of this type</Button>
      </footer>
    </Dialog>
  );
}

function factsOf(
  entry: AuditEntry,
  { teamName, storyName }: { teamName: (id: number) => string; storyName: string | undefined },
): [string, ReactNode][] {
  const { user_id: user, user_email: email, team_id: team, story_id: story, key_id: key } = entry;
  const person = `${isolated(personOf(entry))}${email === null ? '' : ` (${email})`}`;
  return [
    ['When', <Time key="time" at={entry.created_at} />],
    ['By', user === null ? person : <Link href={`/team/people/${user}`}>{person}</Link>],
    ['With', key === null ? sourceWords(entry.source) : `API key ${key}`],
    ...facts({ Team: team === null ? null : teamName(team) }),
    ...(entry.target_name === null || entry.target_type === 'story'
      ? []
      : [
          [capital(nounOf(entry.target_type)), <ChangedThing key="thing" entry={entry} />] as [
            string,
            ReactNode,
          ],
        ]),
    ...(story === null
      ? []
      : [['Story', storyLinks(story, entry.created_at, storyName)] as [string, ReactNode]]),
    ...facts({
      Action: entry.action,
      Request: `${entry.method} ${entry.path}`,
      'IP address': entry.ip,
      Program: entry.user_agent,
      'Request id in the logs': entry.request_id,
    }),
  ];
}

/** Contents of stories are in their versions. */
const storyLinks = (id: number, at: string, name: string | undefined) => (
  <>
    <Link href={`/stories/${id}`}>{name ?? `story ${id}`}</Link> ·{' '}
    <Link href={`${viewPath(id, 'versions')}&at=${at}`}>before and after, in its versions</Link>
  </>
);

const capital = (text: string) => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;

/** Facts that are known. */
function facts(given: Record<string, string | null>): [string, ReactNode][] {
  return Object.entries(given).filter(([, value]) => value !== null && value !== '');
}

function sourceWords(source: AuditEntry['source']): string {
  return { API: 'the API', CLI: 'a command', CONSOLE: 'the console', SYSTEM: 'none (automatic)' }[source];
}
