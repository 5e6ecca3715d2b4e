import { ChevronDown, ChevronUp, Search } from 'lucide-react';
import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { IconButton } from '../form/button.js';
import { Input } from '../form/field.js';
import { useLater } from '../form/use-later.js';
import { useSlashKey } from '../form/use-slash-key.js';
import { countWords } from '../words/figures.js';
import { matchesIn, MOST_MATCHES, type Steps } from './json-matches.js';

interface JsonSearchProps {
  value: unknown;
  /** Is told the place to show. */
  onFound: (steps: Steps) => void;
}

/** Finds keys and values inside of a JSON value; `/` leads here, Enter to the next one, Shift Enter to the one before. */
export function JsonSearch({ value, onFound }: JsonSearchProps) {
  const [text, setText] = useState('');
  const [place, setPlace] = useState({ part: '', at: 0 });
  const field = useRef<HTMLInputElement>(null);
  useSlashKey(field);
  const part = useLater(text.trim());
  const matches = useMemo(() => matchesIn(value, part), [value, part]);
  // Another part begins at its first match.
  const at = place.part === part ? place.at : 0;
  const show = (next: number) => {
    const steps = matches[next];
    if (steps !== undefined) onFound(steps);
  };
  const go = (next: number) => {
    const round = (next + matches.length) % Math.max(matches.length, 1);
    setPlace({ part, at: round });
    show(round);
  };
  const showFirst = useEffectEvent(() => show(0));
  useEffect(() => {
    if (part !== '') showFirst();
  }, [part]);
  return (
    <div className="json-find">
      <div className="search grow">
        <Search aria-hidden="true" />
        <Input
          ref={field}
          type="search"
          placeholder="Key or value"
          aria-label="Find a key or value; Enter for the next one"
          value={text}
          onChange={({ target }) => setText(target.value)}
          onKeyDown={({ key, shiftKey }) => key === 'Enter' && go(shiftKey ? at - 1 : at + 1)}
        />
      </div>
      <span className="faint nowrap" role="status">
        {part !== '' && wordsOf(matches.length, at)}
      </span>
      {matches.length > 1 && (
        <>
          <IconButton label="Previous match" onClick={() => go(at - 1)}>
            <ChevronUp />
          </IconButton>
          <IconButton label="Next match" onClick={() => go(at + 1)}>
            <ChevronDown />
          </IconButton>
        </>
      )}
    </div>
  );
}

function wordsOf(count: number, at: number): string {
  if (count === 0) return 'Not found';
  const of = count === MOST_MATCHES ? `the first ${countWords(count)}` : countWords(count);
  return `${countWords(at + 1)} of ${of}`;
}
