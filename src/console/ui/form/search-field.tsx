import { Search } from 'lucide-react';
import { useRef } from 'react';
import { useSlashKey } from './use-slash-key.js';
import { Input } from './field.js';
import { useLaterText } from './use-later.js';

interface SearchFieldProps {
  label: string;
  placeholder: string;
  text: string;
  /** Called when the person has paused. */
  onSearch: (text: string) => void;
}

/** A field to search a list with; `/` leads to it. */
export function SearchField({ label, placeholder, text: given, onSearch }: SearchFieldProps) {
  const [text, setText] = useLaterText(given, onSearch);
  const field = useRef<HTMLInputElement>(null);
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
