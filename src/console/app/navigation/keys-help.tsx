import { Dialog } from '../../ui/overlay/dialog.js';
import { NAMED_PAGES } from '../pages.js';

const EVERYWHERE: [string, string][] = [
  ['Ctrl K', 'Search stories and pages'],
  ['?', 'Show these keys'],
  ['Escape', 'Close what is open'],
  ['F8', 'Go to the messages'],
];
const ON_A_PAGE: [string, string][] = [
  ['/', 'Search on the page'],
  ['Tab, Enter', 'On a canvas: go to an action, open it'],
];

/** The list of keys. */
export function KeysHelp({ onClose }: { onClose: () => void }) {
  const pages = NAMED_PAGES.map(({ inNavigation: { key, name } }): [string, string] => [
    `g ${key}`,
    `Go to ${name}`,
  ]);
  return (
    <Dialog title="Keys" onClose={onClose}>
      <dl className="dialog-body stack">
        {[...EVERYWHERE, ...pages, ...ON_A_PAGE].map(([keys, what]) => (
          <div key={keys} className="row">
            <dt className="grow soft">{what}</dt>
            <dd>
              <kbd>{keys}</kbd>
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
