import { Plus } from 'lucide-react';
import { type ReactNode, useId, useRef, useState } from 'react';
import type { Path } from '../../../story-model/value-in.js';
import { Button } from '../../../ui/form/button.js';
import { Input } from '../../../ui/form/field.js';
import { useFields } from '../field-context.js';
import { focusFieldIn } from '../field-focus.js';
import styles from '../form.module.css';
import { freeKey, readSchema, renamedKey, type Schema } from '../value-kinds.js';
import { movedRow, RowButtons } from './row-buttons.js';

interface EntryRowsProps {
  label: string;
  /** A list or an object. */
  value: object;
  path: Path;
  schema: Schema;
  /** Shows one entry, which may be a list or an object again: the choice of its kind, and its field. */
  children: (entry: Entry) => { choice: ReactNode; field: ReactNode };
}

interface Entry {
  label: string;
  value: unknown;
  path: Path;
  schema: Schema;
}

/** The items of a list, or the keys and values of an object, one a row. */
export function EntryRows({ label, value, path, schema, children }: EntryRowsProps) {
  const { isReadOnly, onChange } = useFields();
  const isList = Array.isArray(value);
  const { items, properties, keys } = readSchema(schema);
  const suggestions = useId();
  const rows = useRef<HTMLDivElement>(null);
  const entries = Object.entries(value) as [string, unknown][];
  const word = isList ? 'item' : 'key';
  const replace = (next: [string, unknown][]) =>
    onChange(path, isList ? next.map(([, item]) => item) : Object.fromEntries(next));
  /** The row of an entry; its last element is the field of the value. */
  const rowAt = (at: number) => rows.current?.children[at];
  const add = () => {
    replace([...entries, [freeKey(value), items === undefined ? '' : emptyOf(items)]]);
    focusFieldIn(() => (isList ? rowAt(entries.length)?.lastElementChild : rowAt(entries.length)));
  };
  const remove = (at: number) => {
    replace(entries.toSpliced(at, 1));
    focusFieldIn(() => rows.current?.lastElementChild);
  };
  return (
    <div ref={rows} className={styles['rows']} role="group" aria-label={label}>
      {entries.map(([key, item], at) => {
        const name = isList ? `${label}, item ${at + 1}` : `${label}, ${key}`;
        const { choice, field } = children({
          label: name,
          value: item,
          path: [...path, isList ? at : key],
          schema: (isList ? items : properties[key]) ?? {},
        });
        return (
          // A row is its place: a key that is renamed stays the same field.
          <div key={at} className={styles['row']}>
            <div className={styles['row-head']}>
              {isList ? (
                <span className="faint grow">{at + 1}</span>
              ) : (
                <KeyField
                  key={key}
                  label={`Key of ${name}`}
                  suggestions={keys.length > 0 ? suggestions : undefined}
                  name={key}
                  onDone={() => focusFieldIn(() => rowAt(at)?.lastElementChild)}
                  onRename={(next) => {
                    const renamed = renamedKey(value, at, next);
                    if (renamed !== undefined) onChange(path, renamed);
                    return renamed !== undefined;
                  }}
                />
              )}
              {choice}
              <RowButtons
                name={name}
                at={at}
                count={entries.length}
                onMove={(by) => replace(movedRow(entries, at, by))}
                onRemove={() => remove(at)}
              />
            </div>
            {field}
          </div>
        );
      })}
      {keys.length > 0 && (
        <datalist id={suggestions}>
          {keys.map((key) => (
            <option key={key}>{key}</option>
          ))}
        </datalist>
      )}
      {!isReadOnly && (
        <Button look="quiet" onClick={add} aria-label={`Add ${word} to ${label}`}>
          <Plus aria-hidden="true" /> Add {word}
        </Button>
      )}
    </div>
  );
}

/** The name of an entry. It changes when the field is left, since each letter would be another entry. */
function KeyField(props: {
  label: string;
  name: string;
  /** The id of a list of usual names. */
  suggestions: string | undefined;
  onRename: (name: string) => boolean;
  /** Enter was pressed: the value is next. */
  onDone: () => void;
}) {
  const { label, name, suggestions, onRename, onDone } = props;
  const { isReadOnly } = useFields();
  const [isTaken, setTaken] = useState(false);
  const rename = (next: string) => setTaken(next !== name && !onRename(next));
  return (
    <>
      <Input
        className={styles['key'] ?? ''}
        aria-label={label}
        list={suggestions}
        defaultValue={name}
        readOnly={isReadOnly}
        spellCheck={false}
        aria-invalid={isTaken}
        onBlur={({ target }) => rename(target.value)}
        onKeyDown={({ key, currentTarget }) => {
          if (key !== 'Enter') return;
          rename(currentTarget.value);
          onDone();
        }}
      />
      {isTaken && (
        <span className="bad" role="alert">
          This key is taken.
        </span>
      )}
    </>
  );
}

/** A new item: the required keys of an object, or an empty text. */
function emptyOf(schema: Schema): unknown {
  if (schema['type'] !== 'object') return '';
  const required = Array.isArray(schema['required']) ? schema['required'].map(String) : [];
  const { properties } = readSchema(schema);
  return Object.fromEntries(required.map((key) => [key, emptyOf(properties[key] ?? {})]));
}
