import { Field, TextArea } from '../../ui/form/field.js';

interface HostsFieldProps {
  hosts?: readonly string[];
  /** Called with each new text. */
  onText?: (text: string) => void;
}

/** The hosts that a credential may be sent to, as the field `hosts` of a form. */
export function HostsField({ hosts = [], onText }: HostsFieldProps) {
  return (
    <Field
      name="Allowed hosts"
      note="One per line, such as api.example.com or *.example.com. Leave empty to allow any host."
    >
      <TextArea
        name="hosts"
        rows={3}
        defaultValue={hosts.join('\n')}
        placeholder="api.example.com"
        onChange={({ target }) => onText?.(target.value)}
      />
    </Field>
  );
}
