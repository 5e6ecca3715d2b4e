import { UserRound } from 'lucide-react';
import type { InboxEntry } from '../../../../clients/typescript/api.js';
import { useSession } from '../../api/signed-in.js';
import { isolated } from '../../text/isolated.js';
import { Button } from '../../ui/form/button.js';
import { Menu, MenuItem, MenuLine } from '../../ui/overlay/menu.js';
import { usePeople } from '../cases/cases-data.js';
import { useInboxWork } from './inbox-data.js';

interface EntryMenuProps {
  entry: InboxEntry;
  isOpen: boolean;
  onOpen: (isOpen: boolean) => void;
}

/** The person who has an entry, and a menu that gives it to somebody. */
export function AssignMenu({ entry, isOpen, onOpen }: EntryMenuProps) {
  const { assignee, title } = entry;
  const name = assignee === null ? undefined : assignee.name || assignee.email;
  return (
    <Menu
      isOpen={isOpen}
      onOpen={onOpen}
      button={
        <Button
          look="quiet"
          className="inbox-assign"
          aria-label={
            name === undefined
              ? `Assign: ${isolated(title)}`
              : `Assigned to ${isolated(name)}: ${isolated(title)}`
          }
          title={name === undefined ? 'Assign (a)' : `Assigned to ${isolated(name)} (a)`}
        >
          <UserRound aria-hidden="true" />
          <span className={`cut ${name === undefined ? 'faint' : ''}`}>{name ?? 'Assign'}</span>
        </Button>
      }
    >
      <Choices entry={entry} />
    </Menu>
  );
}

/** People are asked for when the menu opens. */
function Choices({ entry }: { entry: InboxEntry }) {
  const { user } = useSession();
  const people = usePeople().data ?? [];
  const work = useInboxWork();
  const assign = (id: number | null, did: string) =>
    work.mutate({
      entry,
      change: { assignee_id: id },
      did,
      undo: { assignee_id: entry.assignee?.id ?? null },
    });
  const others = people.filter(({ id }) => id !== user.id && id !== entry.assignee?.id);
  return (
    <>
      {entry.assignee?.id !== user.id && (
        <MenuItem onSelect={() => assign(user.id, 'Assigned to you.')}>Assign to me</MenuItem>
      )}
      {entry.assignee !== null && (
        <MenuItem onSelect={() => assign(null, 'Assigned to nobody.')}>Assign to nobody</MenuItem>
      )}
      {others.length > 0 && <MenuLine />}
      {others.map(({ id, name }) => (
        <MenuItem key={id} onSelect={() => assign(id, `Assigned to ${isolated(name)}.`)}>
          <bdi className="cut">{name}</bdi>
        </MenuItem>
      ))}
    </>
  );
}
