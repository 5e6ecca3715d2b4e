import { type DragEvent, type KeyboardEvent, type ReactNode, type Ref, useId, useState } from 'react';
import styles from './pick-list.module.css';

/** One of the things to pick from. */
interface PickItem {
  key: string;
  name: string;
  /** Shown beside the name, and searched as well. */
  about?: string;
  /** A sentence below the name. */
  more?: ReactNode;
  /** Shown when the pointer rests on it. */
  title?: string;
  icon?: ReactNode;
}

interface PickListProps {
  label: string;
  placeholder: string;
  /** Returns what a text finds, the best first. */
  find: (text: string) => readonly PickItem[];
  onPick: (key: string) => void;
  onEscape?: () => void;
  /** Makes each one draggable. */
  onDrag?: (event: DragEvent, key: string) => void;
  field?: Ref<HTMLInputElement>;
}

/** A list that is searched as one types; the arrow keys choose, Enter picks. */
export function PickList({ label, placeholder, find, onPick, onEscape, onDrag, field }: PickListProps) {
  const id = useId();
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState(0);
  const picks = find(text);
  const at = Math.max(0, Math.min(chosen, picks.length - 1));
  const pick = (key: string | undefined) => {
    if (key === undefined) return;
    setText('');
    setChosen(0);
    onPick(key);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      const next = (at + step + picks.length) % Math.max(picks.length, 1);
      setChosen(next);
      document.getElementById(`${id}-${next}`)?.scrollIntoView({ block: 'nearest' });
    }
    if (event.key === 'Enter') {
      event.preventDefault();
      pick(picks[at]?.key);
    }
    if (event.key === 'Escape' && onEscape !== undefined) {
      event.preventDefault();
      event.stopPropagation();
      setText('');
      onEscape();
    }
  };
  return (
    <>
      <input
        ref={field}
        className={`input ${styles['search']}`}
        type="search"
        // In a dialog it has the focus first.
        data-first
        placeholder={placeholder}
        aria-label={label}
        role="combobox"
        aria-expanded="true"
        aria-autocomplete="list"
        aria-controls={`${id}-list`}
        aria-activedescendant={picks.length > 0 ? `${id}-${at}` : undefined}
        value={text}
        onChange={({ target }) => {
          setText(target.value);
          setChosen(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div id={`${id}-list`} role="listbox" aria-label={label} className={styles['picks']}>
        {picks.map(({ key, name, about, more, title, icon }, index) => (
          // The field keeps the focus and hears the keys, as in every combobox.
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
          <div
            key={key}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === at}
            className={styles['pick']}
            title={title}
            draggable={onDrag !== undefined}
            onDragStart={(event) => onDrag?.(event, key)}
            onClick={() => pick(key)}
          >
            {icon}
            {more === undefined ? (
              <span className="grow cut">{name}</span>
            ) : (
              <span className={styles['two']}>
                <code className="wrap">{name}</code>
                <span className="faint wrap">{more}</span>
              </span>
            )}
            {about !== undefined && <span className="faint cut">{about}</span>}
          </div>
        ))}
      </div>
      {picks.length === 0 && <p className={styles['none']}>No results.</p>}
    </>
  );
}
