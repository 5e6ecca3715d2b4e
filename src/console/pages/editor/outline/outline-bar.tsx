import { Copy, Link2, Plus, Search, StickyNote, Trash2, Waypoints } from 'lucide-react';
import { Button } from '../../../ui/form/button.js';
import styles from './outline.module.css';

interface OutlineBarProps {
  mayChange: boolean;
  /** A row has the cursor. */
  hasRow: boolean;
  onAdd: () => void;
  onLink: () => void;
  onLinks: () => void;
  onDuplicate: () => void;
  onRemove: () => void;
  onNote: () => void;
  onFind: () => void;
}

/** What is done with the row of the cursor, and with the story. */
export function OutlineBar(props: OutlineBarProps) {
  const { mayChange, hasRow, onAdd, onLink, onLinks, onDuplicate, onRemove, onNote, onFind } = props;
  return (
    <div className={styles['bar']} role="toolbar" aria-label="Outline">
      {mayChange && (
        <>
          <Button onClick={onAdd}>
            <Plus aria-hidden="true" /> Add
          </Button>
          <Button disabled={!hasRow} onClick={onLink}>
            <Link2 aria-hidden="true" /> Link
          </Button>
        </>
      )}
      <Button disabled={!hasRow} onClick={onLinks}>
        <Waypoints aria-hidden="true" /> Links
      </Button>
      {mayChange && (
        <>
          <Button disabled={!hasRow} onClick={onDuplicate}>
            <Copy aria-hidden="true" /> Duplicate
          </Button>
          <Button disabled={!hasRow} onClick={onRemove}>
            <Trash2 aria-hidden="true" /> Delete
          </Button>
          <Button onClick={onNote}>
            <StickyNote aria-hidden="true" /> Note
          </Button>
        </>
      )}
      <Button onClick={onFind}>
        <Search aria-hidden="true" /> Find
      </Button>
    </div>
  );
}
