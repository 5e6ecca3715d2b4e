import { X } from 'lucide-react';
import { useState } from 'react';
import type { Path } from '../../story-model/value-in.js';
import { Button, IconButton } from '../../ui/form/button.js';
import { Input } from '../../ui/form/field.js';
import { useFields } from './field-context.js';
import styles from './form.module.css';
import { isStatusRange } from './status-list.js';

interface StatusFieldProps {
  label: string;
  ranges: readonly unknown[];
  path: Path;
}

/** Statuses and ranges of them, such as 404 and 500-599, each of which can be removed. */
export function StatusField({ label, ranges, path }: StatusFieldProps) {
  const { isReadOnly, onChange } = useFields();
  const [text, setText] = useState('');
  const range = text.replace(/\s+/g, '');
  const isWrong = range !== '' && !isStatusRange(range);
  const add = () => {
    if (!isStatusRange(range)) return;
    if (!ranges.some((each) => String(each) === range)) onChange(path, [...ranges, range]);
    setText('');
  };
  return (
    <>
      <div className={styles['chips']} role="group" aria-label={label}>
        {ranges.map((each, at) => (
          <span key={String(each)} className={styles['chip']}>
            {String(each)}
            {!isReadOnly && (
              <IconButton
                label={`Remove ${String(each)} from ${label}`}
                onClick={() => onChange(path, ranges.toSpliced(at, 1))}
              >
                <X />
              </IconButton>
            )}
          </span>
        ))}
        {!isReadOnly && (
          <>
            <Input
              className={styles['range'] ?? ''}
              aria-label={`Status or range to add to ${label}`}
              aria-invalid={isWrong}
              placeholder="400-599"
              value={text}
              onChange={({ target }) => setText(target.value)}
              onKeyDown={(event) => {
                if (event.key !== 'Enter') return;
                event.preventDefault();
                add();
              }}
            />
            <Button
              look="quiet"
              aria-label={`Add to ${label}`}
              disabled={!isStatusRange(range)}
              onClick={add}
            >
              Add
            </Button>
          </>
        )}
      </div>
      {isWrong && (
        <p className="warn" role="status">
          Use a status such as 404, or a range such as 400-499; 0 means no response.
        </p>
      )}
    </>
  );
}
