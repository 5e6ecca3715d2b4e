import { KeysDialog } from '../../ui/overlay/keys-dialog.js';
import { useIsOwner } from '../../api/signed-in.js';
import { namedPages } from '../pages.js';

const EVERYWHERE: [string, string][] = [
  ['Ctrl K', 'Search everything, or start, disable and retry'],
  ['?', 'Show keyboard shortcuts'],
  ['Escape', 'Close the dialog or panel'],
  ['F8', 'Go to the notifications'],
];
const ON_A_PAGE: [string, string][] = [
  ['/', 'Focus the search or the first filter; without one, search everything'],
  ['j, k', 'In a list: next or previous row'],
  ['Enter', 'Open the row, in a wide window beside the list'],
  ['1–8', 'On the page of a story: open a tab'],
  ['r', 'Retry the failed run, or the chosen dead letter'],
  ['d', 'Drop the chosen dead letter, after a question'],
  ['c', 'Open a case for the failed run or the group of dead letters; compare the event with the one before'],
  ['a, s', 'In the inbox: assign or snooze the row'],
  ['Tab, Enter', 'On the canvas: select an action, open it'],
];

/** The list of keys. */
export function KeysHelp({ onClose }: { onClose: () => void }) {
  const pages = namedPages(useIsOwner()).map(({ inNavigation: { key, name } }): [string, string] => [
    `g ${key}`,
    `Go to ${name}`,
  ]);
  const all = [...EVERYWHERE, ...pages, ...ON_A_PAGE];
  return <KeysDialog title="Keyboard shortcuts" keys={all} onClose={onClose} />;
}
