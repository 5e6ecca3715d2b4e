import { useState } from 'react';
import { api } from '../../api/console-api.js';
import { useChange } from '../../api/use-change.js';
import { Button } from '../../ui/form/button.js';
import { ValueFields } from './value-fields.js';
import { jsonFault, type ValueText } from './edited-value.js';

interface ValueFormProps {
  id: number;
  isTest: boolean;
  given: ValueText;
  onClose: () => void;
}

/** Changes a value of a resource. It is sent as the text that it is, so numbers keep all digits. */
export function ValueForm({ id, isTest, given, onClose }: ValueFormProps) {
  const [value, setValue] = useState(given);
  const saving = useChange(
    ({ text, kind }: ValueText) =>
      api.globalResources.update({ id, value: text, value_type: kind, is_test: isTest }),
    { did: 'Value saved. Stories use it within five seconds.', old: ['resources'], onDone: onClose },
  );
  const isFaulty = value.kind === 'json' && jsonFault(value.text) !== undefined;
  return (
    <form
      className="resource-part stack"
      onSubmit={(event) => {
        event.preventDefault();
        saving.mutate(value);
      }}
    >
      <ValueFields value={value} onChange={setValue} />
      <div className="row row-end">
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" look="main" disabled={isFaulty || saving.isPending}>
          Save value
        </Button>
      </div>
    </form>
  );
}
