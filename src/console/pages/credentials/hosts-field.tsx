import { Field, TextArea } from '../../ui/form/field.js';

/** The hosts that a credential may be sent to, as the field `hosts` of a form. */
export function HostsField({ hosts = [] }: { hosts?: readonly string[] }) {
  return (
    <Field name="Allowed hosts" note="One in a line: api.example.com, *.example.com. Without one: any host.">
      <TextArea name="hosts" rows={3} defaultValue={hosts.join('\n')} placeholder="api.example.com" />
    </Field>
  );
}
