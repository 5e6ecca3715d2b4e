import { Dialog } from './dialog.js';

interface KeysDialogProps {
  title: string;
  /** Each key or keys with what it does. */
  keys: readonly (readonly [keys: string, what: string])[];
  onClose: () => void;
}

/** A list of keys, with what each does. */
export function KeysDialog({ title, keys: list, onClose }: KeysDialogProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      <div className="dialog-body" role="region" aria-label="Keys" tabIndex={0}>
        <dl className="stack">
          {list.map(([keys, what]) => (
            <div key={keys} className="row">
              <dt className="grow soft">{what}</dt>
              <dd>
                <kbd>{keys}</kbd>
              </dd>
            </div>
          ))}
        </dl>
      </div>
    </Dialog>
  );
}
