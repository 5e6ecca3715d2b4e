import { Search } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useSlashKey } from './use-slash-key.js';
import { Input } from './field.js';
import { useLater } from './use-later.js';

interface SearchFieldProps {
  label: string;
  placeholder: string;
  text: string;
  /** Called when the person has paused. */
  onSearch: (text: string) => void;
}

/** A field to search a list with; `/` leads to it. */
export function SearchField({ label, placeholder, text: given, onSearch }: SearchFieldProps) {
  const [text, setText] = useState(given);
  const field = useRef<HTMLInputElement>(null);
  const later = useLater(text);
  const latest = useRef(onSearch);
  latest.current = onSearch;
  useEffect(() => {
    if (later !== given) latest.current(later);
    // A change of the address alone (back, or filters taken away) is taken over below.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [later]);
  useEffect(() => setText(given), [given]);
  useSlashKey(field);
  return (
    <div className="search grow">
      <Search aria-hidden="true" />
      <Input
        ref={field}
        type="search"
        placeholder={placeholder}
        aria-label={label}
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
    </div>
  );
}
