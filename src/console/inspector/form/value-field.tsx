import { useMemo, useRef } from 'react';
import type { Path } from '../../story-model/value-in.js';
import { Input, Select } from '../../ui/form/field.js';
import type { TemplateMark } from '../template-field/code-mirror.js';
import { TemplateField, type TemplateFieldHandle } from '../template-field/template-field.js';
import { emptyHint, type TemplateLanguage, unclosedDelimiter } from '../template-field/template-syntax.js';
import { EntryRows } from './rows/entry-rows.js';
import { useFields } from './field-context.js';
import styles from './form.module.css';
import { NameMenu } from './name-menu.js';
import { RenderedLine } from './rendered-line.js';
import { asKind, KIND_NAMES, kindOfValue, readSchema, type Schema, type ValueKind } from './value-kinds.js';

interface ValueFieldProps {
  label: string;
  value: unknown;
  path: Path;
  schema: Schema;
  /** Shown in an empty field. */
  hint?: string;
}

/** The choice of the kind of a value, where several are allowed. */
export function KindChoice({ label, value, path, schema }: ValueFieldProps) {
  const { isReadOnly, onChange } = useFields();
  const { kinds } = readSchema(schema);
  const kind = kindOfValue(value);
  const offered = KIND_NAMES.filter(([each]) => kinds.includes(each) || each === kind);
  if (offered.length < 2) return null;
  return (
    <Select
      className={styles['kind'] ?? ''}
      aria-label={`Kind of ${label}`}
      value={kind}
      disabled={isReadOnly}
      onChange={({ target }) => onChange(path, asKind(value, target.value as ValueKind))}
    >
      {offered.map(([each, name]) => (
        <option key={each} value={each}>
          {name}
        </option>
      ))}
    </Select>
  );
}

/** A value of an option, in the field of its kind. */
export function ValueField(props: ValueFieldProps) {
  const { label, value, path, schema, hint } = props;
  const { isReadOnly, onChange } = useFields();
  const kind = kindOfValue(value);
  const { choices, minimum, maximum, isWhole } = readSchema(schema);
  switch (kind) {
    case 'text':
      return choices?.includes(String(value)) === true ? (
        <Choice {...props} choices={choices} />
      ) : (
        <Template label={label} path={path} text={String(value)} {...(hint !== undefined && { hint })} />
      );
    case 'number':
      return (
        <Input
          type="number"
          aria-label={label}
          value={String(value)}
          min={minimum}
          max={maximum}
          step={isWhole ? 1 : 'any'}
          readOnly={isReadOnly}
          onChange={({ target }) => {
            // An empty field is no number yet.
            if (!Number.isNaN(target.valueAsNumber)) onChange(path, target.valueAsNumber);
          }}
        />
      );
    case 'truth':
      return (
        <Select
          aria-label={label}
          value={String(value)}
          disabled={isReadOnly}
          onChange={({ target }) => onChange(path, target.value === 'true')}
        >
          <option value="true">True</option>
          <option value="false">False</option>
        </Select>
      );
    case 'list':
    case 'object':
      return (
        <EntryRows label={label} value={value as object} path={path} schema={schema}>
          {(entry) => ({ choice: <KindChoice {...entry} />, field: <ValueField {...entry} /> })}
        </EntryRows>
      );
    default:
      return <span className="faint">null</span>;
  }
}

/** One of the texts that the option allows; a template may stand there as well. */
function Choice({ label, value, path, choices }: ValueFieldProps & { choices: readonly string[] }) {
  const { isReadOnly, onChange } = useFields();
  return (
    <Select
      aria-label={label}
      value={String(value)}
      disabled={isReadOnly}
      onChange={({ target }) => onChange(path, target.value)}
    >
      {choices.map((choice) => (
        <option key={choice} value={choice}>
          {choice}
        </option>
      ))}
      <option value="">a template…</option>
    </Select>
  );
}

function unclosedMark(text: string, language: TemplateLanguage): TemplateMark | undefined {
  const place = unclosedDelimiter(text, language);
  if (place === undefined) return undefined;
  const [opening, closing] = text.startsWith('<%', place.from) ? ['<%', '%>'] : ['<<', '>>'];
  return { ...place, message: `${opening} stays text: no ${closing} follows.`, isError: false };
}

/** A template with its value in the sample. */
function Template({ label, path, text, hint }: Omit<ValueFieldProps, 'value' | 'schema'> & { text: string }) {
  const { knowledge, isReadOnly, notesOf, wholeOf, onChange, onLeave, onFocus } = useFields();
  const field = useRef<TemplateFieldHandle>(null);
  const { faults, rendered } = notesOf(path);
  const { language } = knowledge;
  const unclosed = useMemo(() => unclosedMark(text, language), [text, language]);
  const marks = useMemo(() => (unclosed === undefined ? faults : [...faults, unclosed]), [faults, unclosed]);
  return (
    <div className={styles['template']}>
      <TemplateField
        ref={field}
        label={label}
        text={text}
        knowledge={knowledge}
        faults={marks}
        isReadOnly={isReadOnly}
        {...(!isReadOnly && { hint: hint ?? emptyHint('Text', language) })}
        onText={(next) => onChange(path, next)}
        onLeave={onLeave}
        onFocus={() => onFocus((inserted) => field.current?.insert(inserted))}
      />
      {!isReadOnly && <NameMenu label={label} onPick={(reference) => field.current?.insert(reference)} />}
      <RenderedLine
        label={label}
        faults={faults}
        rendered={rendered}
        remark={unclosed?.message}
        onWhole={() => wholeOf(path)}
      />
    </div>
  );
}
