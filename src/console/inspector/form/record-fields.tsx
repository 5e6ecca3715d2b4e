import { Plus, X } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Path } from '../../story-model/value-in.js';
import { Button, IconButton } from '../../ui/form/button.js';
import { Select } from '../../ui/form/field.js';
import { useFields } from './field-context.js';
import styles from './form.module.css';
import { isKeyed } from './value-kinds.js';

/** Something that an option names: `{"name": "Alert"}`. */
interface Named {
  name: string;
}

interface Writer {
  formula?: unknown;
  record_field: Named;
}

/** Whether a value names something. */
export function isNamed(value: unknown): value is Named {
  return isKeyed(value) && typeof value['name'] === 'string';
}

/** Whether a value is a list of what is written into fields of a record. */
export function isWriterList(value: unknown): value is readonly Writer[] {
  return Array.isArray(value) && value.every((each) => isKeyed(each) && isNamed(each['record_field']));
}

interface NameChoiceProps {
  label: string;
  name: string;
  names: readonly string[];
  path: Path;
}

/** A choice of one of these names. A name that is not among them stays. */
function NameChoice({ label, name, names, path }: NameChoiceProps) {
  const { isReadOnly, onChange } = useFields();
  return (
    <Select
      aria-label={label}
      value={name}
      disabled={isReadOnly}
      onChange={({ target }) => onChange(path, target.value)}
    >
      {!names.includes(name) && (
        <option value={name}>{name === '' ? 'Choose…' : `${name} (missing here)`}</option>
      )}
      {names.map((each) => (
        <option key={each} value={each}>
          {each}
        </option>
      ))}
    </Select>
  );
}

/** The choice of a type of records. */
export function RecordTypeField({ label, type, path }: { label: string; type: Named; path: Path }) {
  const names = useFields().recordTypes.map(({ name }) => name);
  return <NameChoice label={label} name={type.name} names={names} path={[...path, 'name']} />;
}

interface RecordWritersFieldProps {
  writers: readonly Writer[];
  /** The name of the type of the record; undefined if it is not known. */
  type: string | undefined;
  path: Path;
  /** The field of a value. */
  valueOf: (given: { label: string; value: unknown; path: Path }) => ReactNode;
}

/** What is written into each field of a record. */
export function RecordWritersField({ writers, type, path, valueOf }: RecordWritersFieldProps) {
  const { isReadOnly, recordTypes, onChange } = useFields();
  const names = recordTypes.find(({ name }) => name === type)?.fields ?? [];
  const used = writers.map(({ record_field: field }) => field.name);
  const add = () => {
    const name = names.find((each) => !used.includes(each)) ?? '';
    onChange(path, [...writers, { formula: '', record_field: { name } }]);
  };
  return (
    <div className={styles['writers']}>
      {writers.map(({ formula, record_field: field }, at) => {
        const name = `Field ${at + 1}`;
        return (
          // A field is its place.
          <div key={at} className={styles['rule']} role="group" aria-label={name}>
            <div className={styles['row-head']}>
              <NameChoice
                label={name}
                name={field.name}
                names={names}
                path={[...path, at, 'record_field', 'name']}
              />
              <span className="grow" />
              {!isReadOnly && (
                <IconButton label={`Remove ${name}`} onClick={() => onChange(path, writers.toSpliced(at, 1))}>
                  <X />
                </IconButton>
              )}
            </div>
            {valueOf({ label: `${name}, value`, value: formula ?? '', path: [...path, at, 'formula'] })}
          </div>
        );
      })}
      {!isReadOnly && (
        <div>
          <Button look="quiet" onClick={add}>
            <Plus aria-hidden="true" /> Add field
          </Button>
        </div>
      )}
    </div>
  );
}
