import './palette.css';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { Dialog } from '../../../ui/overlay/dialog.js';
import type { Hit, StoryToAsk } from './palette-hit.js';
import { useHits } from './use-hits.js';

interface PaletteProps {
  /** Asks before a story is started or switched. */
  onAsk: (asked: StoryToAsk) => void;
  onClose: () => void;
}

const LABEL = 'Name, id, guid, webhook URL, value or command';

/**
 * Finds pages and things by a part of their name, a run by its guid, what has an id, a webhook by its URL; and acts: `start`,
 * `disable`, `enable` and `retry` come before a name.
 */
export function Palette({ onAsk, onClose }: PaletteProps) {
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState(0);
  const [, go] = useLocation();
  const field = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const hits = useHits(text);
  const at = Math.min(chosen, hits.length - 1);
  const open = (hit: Hit | undefined) => {
    if (hit === undefined) return;
    if ('text' in hit.does) {
      type(hit.does.text);
      field.current?.focus();
      return;
    }
    onClose();
    if ('ask' in hit.does) onAsk(hit.does.ask);
    else go(hit.does.path);
  };
  const type = (next: string) => {
    setText(next);
    setChosen(0);
  };
  useEffect(() => {
    list.current?.querySelector(`#palette-hit-${at}`)?.scrollIntoView({ block: 'nearest' });
  }, [at]);
  const onKey = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      setChosen((at + step + hits.length) % Math.max(hits.length, 1));
    }
    if (event.key === 'Enter') open(hits[at]);
  };
  return (
    <Dialog title="Search" dropsText onClose={onClose}>
      <input
        ref={field}
        className="palette-input"
        placeholder={LABEL}
        aria-label={LABEL}
        role="combobox"
        aria-expanded="true"
        aria-controls="palette-hits"
        aria-activedescendant={hits.length > 0 ? `palette-hit-${at}` : undefined}
        value={text}
        onChange={({ target }) => type(target.value)}
        onKeyDown={onKey}
      />
      <div id="palette-hits" ref={list} role="listbox" aria-label="Found" className="palette-hits">
        {hits.map((hit, index) => (
          <div
            key={hit.key}
            id={`palette-hit-${index}`}
            role="option"
            aria-selected={index === at}
            tabIndex={-1}
            className="palette-hit"
            onPointerMove={() => setChosen(index)}
            onClick={() => open(hit)}
            onKeyDown={onKey}
          >
            <hit.icon aria-hidden="true" />
            <span className="cut grow">{hit.name}</span>
            <span className="faint">{hit.kind}</span>
          </div>
        ))}
      </div>
      {hits.length === 0 && <p className="palette-none">No results.</p>}
    </Dialog>
  );
}
