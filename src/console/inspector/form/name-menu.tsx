import { KeyRound } from 'lucide-react';
import { IconButton } from '../../ui/form/button.js';
import { Menu, MenuItem, MenuLabel } from '../../ui/overlay/menu.js';
import { nameReference } from '../../text/name-reference.js';
import { useFields } from './field-context.js';
import styles from './form.module.css';

/** Puts a reference to a credential or a resource into a template. */
export function NameMenu({ label, onPick }: { label: string; onPick: (reference: string) => void }) {
  const { language, credentials, resources } = useFields().knowledge;
  if (credentials.length + resources.length === 0) return null;
  const groups = [
    { root: 'CREDENTIAL', title: 'Credentials', names: credentials },
    { root: 'RESOURCE', title: 'Resources', names: resources },
  ] as const;
  return (
    <Menu
      button={
        <IconButton className={styles['names'] ?? ''} label={`Insert a credential or resource into ${label}`}>
          <KeyRound />
        </IconButton>
      }
    >
      {groups.map(({ root, title, names }) =>
        names.length === 0 ? null : (
          <div key={root} role="group" aria-label={title}>
            <MenuLabel>{title}</MenuLabel>
            {names.map((name) => (
              <MenuItem key={name} onSelect={() => onPick(nameReference(root, name, language))}>
                {name}
              </MenuItem>
            ))}
          </div>
        ),
      )}
    </Menu>
  );
}
