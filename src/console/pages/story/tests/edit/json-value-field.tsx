import { type ReactNode, useId, useMemo, useRef, useState } from 'react';
import { JsonField, type JsonFieldHandle } from '../../../../inspector/text-field/json-field.js';
import { isSame } from '../../../../story-model/same-value.js';
import { readJson } from './read-json.js';
import { MatcherMenu } from './matcher-menu.js';
import { useBroken, useTestFields } from './test-fields.js';
import styles from './edit.module.css';

interface JsonValueFieldProps {
  label: string;
  /** Beside the name of the field, such as what removes it. */
  aside?: ReactNode;
  /** A shorter name, where what is around it tells the rest. */
  caption?: string;
  value: unknown;
  /** Whether matchers may stand in it. */
  hasMatchers?: boolean;
  /** Returns what is wrong with a value that can be read. */
  faultOf?: (value: unknown) => string | undefined;
  onValue: (value: unknown) => void;
}

/** A value of a test as JSON. A text that cannot be read stays in the field, and the value stays as it was. */
export function JsonValueField(props: JsonValueFieldProps) {
  const { label, caption = label, aside, value, hasMatchers = false, faultOf, onValue } = props;
  const { isReadOnly } = useTestFields();
  const field = useRef<JsonFieldHandle>(null);
  const [text, setText] = useState(() => write(value));
  const [known, setKnown] = useState(value);
  // It was changed elsewhere: in the JSON of the whole test, or by what was found.
  if (value !== known && !isSame(value, known)) {
    setKnown(value);
    setText(write(value));
  }
  const fault = useMemo(() => faultIn(text, faultOf), [text, faultOf]);
  useBroken(useId(), fault !== undefined);
  return (
    <div className={styles['json']}>
      <div className="row">
        <span className="field-name grow" aria-hidden="true">
          {caption}
        </span>
        {hasMatchers && !isReadOnly && <MatcherMenu label={label} field={field} />}
        {aside}
      </div>
      <JsonField
        ref={field}
        label={label}
        text={text}
        fault={fault}
        isReadOnly={isReadOnly}
        onText={(next) => {
          setText(next);
          if (faultIn(next, faultOf) !== undefined) return;
          const { value: read } = readJson(next);
          setKnown(read);
          onValue(read);
        }}
      />
    </div>
  );
}

const write = (value: unknown) => JSON.stringify(value, null, 2) ?? 'null';

function faultIn(text: string, faultOf: JsonValueFieldProps['faultOf']) {
  const { value, fault } = readJson(text);
  if (fault !== undefined) return fault;
  const message = faultOf?.(value);
  return message === undefined ? undefined : { message, at: 0 };
}
