import { AlarmClock } from 'lucide-react';
import type { InboxEntry } from '../../../../clients/typescript/api.js';
import { isolated } from '../../text/isolated.js';
import { clockWords } from '../../text/wait-words.js';
import { IconButton } from '../../ui/form/button.js';
import { Menu, MenuItem } from '../../ui/overlay/menu.js';
import { useNow } from '../../ui/words/use-now.js';
import { useInboxWork } from './inbox-data.js';
import { snoozeTimes } from './snooze-times.js';

interface SnoozeMenuProps {
  entry: InboxEntry;
  isOpen: boolean;
  onOpen: (isOpen: boolean) => void;
}

/** Takes an entry off the list until a time, or back onto it. */
export function SnoozeMenu({ entry, isOpen, onOpen }: SnoozeMenuProps) {
  const { title, snoozed_until: until } = entry;
  const work = useInboxWork();
  const snooze = (time: string | null, did: string) =>
    work.mutate({ entry, change: { snoozed_until: time }, did, undo: { snoozed_until: until } });
  return (
    <Menu
      isOpen={isOpen}
      onOpen={onOpen}
      button={
        <IconButton
          label={until === null ? `Snooze: ${isolated(title)}` : `Snoozed: ${isolated(title)}`}
          title={until === null ? 'Snooze (s)' : `Snoozed, back ${clockWords(until)} (s)`}
          className={until === null ? '' : 'warn'}
        >
          <AlarmClock aria-hidden="true" />
        </IconButton>
      }
    >
      {until !== null && (
        <MenuItem onSelect={() => snooze(null, 'Back on the list.')}>Back on the list now</MenuItem>
      )}
      <Times onChoose={(time) => snooze(time, `Snoozed. It is back ${clockWords(time)}.`)} />
    </Menu>
  );
}

/** The times to choose from; they are those of the moment at which the menu is open. */
function Times({ onChoose }: { onChoose: (time: string) => void }) {
  const now = useNow();
  return snoozeTimes(now).map(({ name, until }) => (
    <MenuItem key={name} onSelect={() => onChoose(until.toISOString())}>
      <span className="grow">{name}</span>
      <span className="faint">{clockWords(until.toISOString())}</span>
    </MenuItem>
  ));
}
