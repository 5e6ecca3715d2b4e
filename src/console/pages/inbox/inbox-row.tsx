import { Link } from 'wouter';
import type { InboxEntry } from '../../../../clients/typescript/api.js';
import { isolated } from '../../text/isolated.js';
import { OPENS_ROW } from '../../ui/lists/open-rows.js';
import { countWords, nounWords } from '../../ui/words/figures.js';
import { Time } from '../../ui/words/time.js';
import { Trend } from '../dead-letters/group-table.js';
import { AssignMenu } from './assign-menu.js';
import { useMayChange } from './inbox-data.js';
import {
  endingWords,
  entryButton,
  entryPath,
  KIND_ICONS,
  sinceWords,
  untilWords,
  versionPath,
} from './inbox-words.js';
import { KIND_WORDS } from './inbox-query.js';
import { SnoozeMenu } from './snooze-menu.js';

/** The menus of a row. */
export type RowMenu = 'assign' | 'snooze';

interface InboxRowProps {
  entry: InboxEntry;
  /** The menu of it that is open. */
  open: RowMenu | undefined;
  onOpen: (menu: RowMenu | undefined) => void;
}

const SEVERITY = {
  error: { word: 'Error', tone: 'bad' },
  warning: { word: 'Warning', tone: 'warn' },
  note: { word: 'Note', tone: 'faint' },
} as const;

/** One entry: what it is and why, since when, who has it, and what can be done. */
export function InboxRow({ entry, open, onOpen }: InboxRowProps) {
  const { kind, severity, title, first_seen: first, last_seen: last, trend, closed } = entry;
  const { word, tone } = SEVERITY[severity];
  const Icon = KIND_ICONS[kind];
  // `closed` is absent in the response of a server that is older than this page.
  return (
    <li className="line inbox-row" data-entry={entry.key}>
      <span className={`inbox-sign ${closed ? 'faint' : tone}`} title={`${word}: ${KIND_WORDS[kind]}`}>
        <Icon aria-hidden="true" />
        <span className="unseen">
          {word}, {KIND_WORDS[kind]}:
        </span>
      </span>
      <div className="inbox-what">
        <div className="cut inbox-title" title={title}>
          <Link href={entryPath(entry)} {...OPENS_ROW}>
            {title}
          </Link>
        </div>
        <Why entry={entry} />
      </div>
      <div className="inbox-trend">{trend !== null && <Trend of={{ trend }} />}</div>
      <div className="inbox-seen soft">
        {closed && <Time at={closed.at} prefix="closed " />}
        {last !== null && <Time at={last} prefix="last " />}
        {first !== null && <Time at={first} prefix={last === null && !closed ? 'since ' : 'first '} />}
      </div>
      {!closed && <Work entry={entry} open={open} onOpen={onOpen} />}
    </li>
  );
}

/** Why, where, until when and since which version. */
function Why({ entry }: { entry: InboxEntry }) {
  const { detail, story, action, snoozed_until: snoozed, closed } = entry;
  const version = versionPath(entry);
  const facts = [untilWords(entry), placeWords(story, action)].filter((fact) => fact !== undefined);
  return (
    <>
      {detail !== null && (
        <p className="cut soft" title={detail}>
          {detail}
        </p>
      )}
      <p className="inbox-facts faint">
        {facts.map((fact) => (
          <span key={fact} className="wrap">
            {fact}
          </span>
        ))}
        {version !== undefined && (
          <Link href={version} className="wrap">
            {sinceWords(entry)}
          </Link>
        )}
        {snoozed !== null && <Time at={snoozed} prefix="snoozed, back " />}
        {closed && <span className="wrap">{`closed ${endingWords(closed)}`}</span>}
      </p>
      {story === null && <Held entry={entry} />}
    </>
  );
}

/** Returns where it is: `Send mail in Alerts`; undefined for what concerns several stories. */
function placeWords(story: InboxEntry['story'], action: InboxEntry['action']): string | undefined {
  if (story === null) return undefined;
  const name = isolated(story.name ?? 'a deleted story');
  return action === null ? name : `${isolated(action.name ?? 'a deleted action')} in ${name}`;
}

const MOST_HELD = 3;

/** The actions whose work is held, where there are several. */
function Held({ entry: { held } }: { entry: InboxEntry }) {
  if (held === null || held.length === 0) return null;
  const rest = held.length - MOST_HELD;
  return (
    <p className="inbox-facts soft">
      {held.slice(0, MOST_HELD).map((one) => (
        <Link key={one.agent_id} href={`/stories/${one.story_id}?action=${one.agent_id}`} className="wrap">
          {countWords(one.count)} of {isolated(one.agent_name ?? 'a deleted action')} in{' '}
          {isolated(one.story_name ?? 'a story')}
        </Link>
      ))}
      {rest > 0 && <span className="faint">and {nounWords(rest, 'more action')}</span>}
    </p>
  );
}

function Work({ entry, open, onOpen }: InboxRowProps) {
  const mayWrite = useMayChange()(entry);
  const { path, name } = entryButton(entry, mayWrite);
  const menuProps = (menu: RowMenu) => ({
    entry,
    isOpen: open === menu,
    onOpen: (isOpen: boolean) => onOpen(isOpen ? menu : undefined),
  });
  return (
    <div className="inbox-work">
      {mayWrite ? (
        <AssignMenu {...menuProps('assign')} />
      ) : (
        <span className="cut faint inbox-assign">{entry.assignee?.name ?? ''}</span>
      )}
      <Link href={path} className="button" aria-label={`${name}: ${isolated(entry.title)}`}>
        {name}
      </Link>
      {mayWrite && <SnoozeMenu {...menuProps('snooze')} />}
    </div>
  );
}
