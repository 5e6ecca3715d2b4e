import type { RenamePreview } from '../../../../../clients/typescript/api.js';
import { Button } from '../../../ui/form/button.js';
import { Dialog } from '../../../ui/overlay/dialog.js';
import { nounWords } from '../../../ui/words/figures.js';
import { countOfReferences } from './rename-data.js';
import styles from './action-editor.module.css';

interface RenameDialogProps {
  from: string;
  to: string;
  preview: RenamePreview;
  onClose: () => void;
  onRename: (withReferences: boolean) => void;
}

/** Shows each reference that a new name changes, and what the server cannot tell. */
export function RenameDialog({ from, to, preview, onClose, onRename }: RenameDialogProps) {
  const { slug, places, shared, unsure } = preview;
  const count = countOfReferences(preview);
  const references = places.filter(({ path }) => path !== 'name');
  return (
    <Dialog
      wide
      title={`Rename ${from} to ${to}`}
      about={
        slug.before === slug.after
          ? undefined
          : `Templates will refer to it as ${slug.after}, not ${slug.before}.`
      }
      onClose={onClose}
    >
      <div className="dialog-body stack">
        {shared.map(({ slug: name, actions }) => (
          <p key={name} className="warn wrap">
            {actions.map((action) => action.name).join(', ')} {actions.length === 1 ? 'is' : 'are'} named{' '}
            <code>{name}</code> in templates too: templates may mean either.
          </p>
        ))}
        {references.length > 0 && (
          <div className={styles['frame']} role="region" aria-label="References" tabIndex={0}>
            <ul className={styles['places']}>
              {references.map(({ part, index, name, path, line, column, before, after }) => (
                <li key={`${part} ${index} ${path} ${line} ${column}`}>
                  <span className="faint wrap">
                    {name ?? 'Note'}, {path}
                  </span>
                  <del className="wrap">{before}</del>
                  <ins className="wrap">{after}</ins>
                </li>
              ))}
              {count > references.length && <li className="faint">and {count - references.length} more</li>}
            </ul>
          </div>
        )}
        {unsure.length > 0 && (
          <section className="stack" aria-label="Not certain">
            <p className="warn">Check these yourself; they are not changed:</p>
            <ul className={styles['places']}>
              {unsure.map(({ part, index, name, path, reason }) => (
                <li key={`${part} ${index} ${path} ${reason}`} className="wrap">
                  {name ?? 'Note'}, {path}: {reason}
                </li>
              ))}
            </ul>
          </section>
        )}
      </div>
      <footer className="dialog-foot">
        <Button onClick={onClose}>Cancel</Button>
        {count > 0 && <Button onClick={() => onRename(false)}>Rename without references</Button>}
        <Button look="main" data-first onClick={() => onRename(true)}>
          {count > 0 ? `Rename with ${nounWords(count, 'reference')}` : 'Rename'}
        </Button>
      </footer>
    </Dialog>
  );
}
