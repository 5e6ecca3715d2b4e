import { Ellipsis, Keyboard, Network, Search, StickyNote } from 'lucide-react';
import { useState } from 'react';
import { IconButton } from '../../../ui/form/button.js';
import { Menu, MenuItem } from '../../../ui/overlay/menu.js';
import type { CanvasAction } from './canvas-menu.js';
import type { Asked } from './asked.js';
import styles from './edit-canvas.module.css';

interface CanvasBarProps {
  readOnly: string | undefined;
  isMoving: boolean;
  /** How many parts and links are chosen. */
  count: number;
  actions: () => CanvasAction[];
  onAsk: (asked: Asked) => void;
  onNote: () => void;
  onTidy: () => void;
}

/** What is done with the canvas by a press, and what it is doing. */
export function CanvasBar({ readOnly, isMoving, count, actions, onAsk, onNote, onTidy }: CanvasBarProps) {
  const [shown, setShown] = useState<CanvasAction[]>([]);
  return (
    <div className={styles['bar']} role="toolbar" aria-label="Canvas">
      {readOnly !== undefined && (
        <span className={styles['state']} title={readOnly}>
          Read-only
        </span>
      )}
      {isMoving && <span className={styles['state']}>Moving: use the arrow keys, then press Enter.</span>}
      {count > 1 && <span className={styles['state']}>{count} selected</span>}
      {readOnly === undefined && (
        <>
          <IconButton label="Add a note (n)" onClick={onNote}>
            <StickyNote />
          </IconButton>
          <IconButton label="Tidy up (t)" onClick={onTidy}>
            <Network />
          </IconButton>
        </>
      )}
      <IconButton label="Find an action (/)" onClick={() => onAsk({ kind: 'find' })}>
        <Search />
      </IconButton>
      <IconButton label="Keys of the canvas (?)" onClick={() => onAsk({ kind: 'keys' })}>
        <Keyboard />
      </IconButton>
      <Menu
        button={
          <IconButton
            label="More for the selection"
            onPointerDown={() => setShown(actions())}
            onKeyDown={() => setShown(actions())}
          >
            <Ellipsis />
          </IconButton>
        }
      >
        {shown.map(({ label, keys, onSelect }) => (
          <MenuItem key={label} onSelect={onSelect}>
            <span className="grow">{label}</span>
            {keys !== undefined && <kbd className="faint">{keys}</kbd>}
          </MenuItem>
        ))}
      </Menu>
    </div>
  );
}
