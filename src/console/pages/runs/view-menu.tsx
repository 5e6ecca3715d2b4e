import { Bookmark, Trash2 } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { textIn } from '../../ui/form/form-text.js';
import { Button, IconButton } from '../../ui/form/button.js';
import { Dialog } from '../../ui/overlay/dialog.js';
import { Field, Input } from '../../ui/form/field.js';
import { Menu, MenuItem, MenuLabel, MenuLine } from '../../ui/overlay/menu.js';
import { removeView, saveView, useSavedViews } from './saved-views.js';

/** The saved views of this browser: to open, to save, to remove. */
export function ViewMenu({ query, onOpen }: { query: string; onOpen: (query: string) => void }) {
  const views = useSavedViews();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Menu
        button={
          <Button>
            <Bookmark aria-hidden="true" /> Views
          </Button>
        }
      >
        {views.length === 0 && <MenuLabel>No views saved in this browser.</MenuLabel>}
        {views.map((view) => (
          <MenuItem key={view.name} onSelect={() => onOpen(view.query)}>
            {view.name}
          </MenuItem>
        ))}
        <MenuLine />
        <MenuItem onSelect={() => setOpen(true)}>Save or remove…</MenuItem>
      </Menu>
      {isOpen && <ViewDialog query={query} onClose={() => setOpen(false)} />}
    </>
  );
}

function ViewDialog({ query, onClose }: { query: string; onClose: () => void }) {
  const views = useSavedViews();
  const save = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    saveView({ name: textIn(event.currentTarget, 'name').trim(), query });
    onClose();
  };
  return (
    <Dialog title="Saved views" about="Views are saved in this browser." onClose={onClose}>
      <form onSubmit={save}>
        <div className="dialog-body stack">
          <Field name="Name for the current filters">
            <Input name="name" required maxLength={60} pattern=".*\S.*" />
          </Field>
          {views.map(({ name }) => (
            <div key={name} className="row">
              <span className="grow wrap">{name}</span>
              <IconButton label={`Remove ${name}`} onClick={() => removeView(name)}>
                <Trash2 />
              </IconButton>
            </div>
          ))}
        </div>
        <footer className="dialog-foot">
          <Button type="submit" look="main">
            Save
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}
