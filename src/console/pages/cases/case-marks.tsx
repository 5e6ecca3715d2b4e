import { ChevronDown, ChevronsUp, ChevronUp, Equal, Info, type LucideIcon } from 'lucide-react';
import type { Case, CaseUser } from '../../../../clients/typescript/api.js';
import { Badge } from '../../ui/words/badge.js';
import { personName } from './cases-data.js';
import { isolated } from '../../text/isolated.js';

/** How urgent a case is, as people say it. */
export const PRIORITY_WORDS: Readonly<Record<Case['priority'], string>> = {
  CRITICAL: 'Critical',
  HIGH: 'High',
  MEDIUM: 'Medium',
  LOW: 'Low',
  INFO: 'Info',
};

/** How a case stands, as people say it. */
export const STATUS_WORDS: Readonly<Record<Case['status'], string>> = { OPEN: 'Open', CLOSED: 'Closed' };

const SIGNS: Readonly<Record<Case['priority'], { icon: LucideIcon; look: string }>> = {
  CRITICAL: { icon: ChevronsUp, look: 'bad' },
  HIGH: { icon: ChevronUp, look: 'warn' },
  MEDIUM: { icon: Equal, look: 'soft' },
  LOW: { icon: ChevronDown, look: 'soft' },
  INFO: { icon: Info, look: 'soft' },
};

/** The priority as a sign with its word; the state alone is a pill. */
export function PriorityMark({ priority }: Pick<Case, 'priority'>) {
  const { icon: Sign, look } = SIGNS[priority];
  return (
    <span className={`case-priority ${look}`}>
      <Sign aria-hidden="true" /> {PRIORITY_WORDS[priority]}
    </span>
  );
}

/** The state, with a colour. */
export function StatusBadge({ status }: Pick<Case, 'status'>) {
  return <Badge tone={status === 'OPEN' ? 'running' : 'ok'}>{STATUS_WORDS[status]}</Badge>;
}

/** The tags, each with its whole name when the pointer rests on it. */
export function Tags({ tags }: Pick<Case, 'tags'>) {
  return tags.map(({ id, name }) => (
    <Badge key={id} title={name}>
      {name}
    </Badge>
  ));
}

/** The names of users, cut where there is no room. */
export function PeopleNames({ people }: { people: CaseUser[] }) {
  const names = people.map(personName).map(isolated).join(', ');
  return names === '' ? (
    <span className="faint">unassigned</span>
  ) : (
    <span className="cut" title={names}>
      {names}
    </span>
  );
}
