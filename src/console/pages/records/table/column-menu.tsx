import { Columns3 } from 'lucide-react';
import type { RecordField } from '../../../../../clients/typescript/api.js';
import { Button } from '../../../ui/form/button.js';
import { Menu, MenuItem, MenuLine, MenuTick } from '../../../ui/overlay/menu.js';

interface ColumnMenuProps {
  fields: RecordField[];
  shown: RecordField[];
  onChange: (columns: number[]) => void;
}

/** Chooses the columns; one at least stays. */
export function ColumnMenu({ fields, shown, onChange }: ColumnMenuProps) {
  const ids = shown.map(({ id }) => id);
  const toggle = (id: number, on: boolean) => {
    const next = on ? [...ids, id] : ids.filter((each) => each !== id);
    if (next.length > 0) onChange(next.length === fields.length ? [] : next);
  };
  return (
    <Menu
      button={
        <Button>
          <Columns3 aria-hidden="true" /> Columns
          {shown.length < fields.length && ` ${shown.length} of ${fields.length}`}
        </Button>
      }
    >
      {fields.map(({ id, name }) => (
        <MenuTick key={id} checked={ids.includes(id)} onChange={(on) => toggle(id, on)}>
          {name}
        </MenuTick>
      ))}
      <MenuLine />
      <MenuItem onSelect={() => onChange([])}>Show all</MenuItem>
    </Menu>
  );
}
