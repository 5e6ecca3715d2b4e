import { Field, Select, TextArea } from '../../ui/form/field.js';
import { jsonFault, type ValueText } from './edited-value.js';

/** The fields of a value: its kind and its text, and why it is no JSON. */
export function ValueFields(props: { value: ValueText; onChange: (value: ValueText) => void }) {
  const { value, onChange } = props;
  const fault = value.kind === 'json' ? jsonFault(value.text) : undefined;
  return (
    <>
      <Field name="Type">
        <Select
          value={value.kind}
          onChange={({ target }) => onChange({ ...value, kind: target.value as ValueText['kind'] })}
        >
          <option value="text">Text</option>
          <option value="json">JSON: list, object, number, true or false</option>
        </Select>
      </Field>
      <Field name="Value">
        <TextArea
          rows={12}
          value={value.text}
          aria-invalid={fault !== undefined}
          onChange={({ target }) => onChange({ ...value, text: target.value })}
        />
      </Field>
      {fault !== undefined && value.text !== '' && (
        <p className="bad wrap" role="status">
          {fault}
        </p>
      )}
    </>
  );
}
