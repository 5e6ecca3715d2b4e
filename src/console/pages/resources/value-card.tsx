import { Pencil, Plus } from 'lucide-react';
import { useState } from 'react';
import type { Resource } from '../../../../clients/typescript/api.js';
import { parseExact } from '../../text/exact-json.js';
import { Button } from '../../ui/form/button.js';
import { Card } from '../../ui/card.js';
import { CopyButton } from '../../ui/words/copy-button.js';
import { JsonView } from '../../ui/json-view/json-view.js';
import { api } from '../../api/console-api.js';
import { useChange } from '../../api/use-change.js';
import { ValueFields } from './value-fields.js';
import { jsonFault, type ValueText, valueText } from './edited-value.js';

interface ValueCardProps {
  resource: Resource;
  /** Whether it is the second value, which drafts of stories see. */
  isTest: boolean;
  mayEdit: boolean;
}

/** One value of a resource: it is read, and changed in place. */
export function ValueCard({ resource, isTest, mayEdit }: ValueCardProps) {
  const [isOpen, setOpen] = useState(false);
  const { test_resource: test, value, value_type: type } = resource;
  const absent = isTest && test === null;
  const shown = isTest ? valueText(test?.value ?? '') : valueText(value, type);
  return (
    <Card
      title={isTest ? 'Draft value' : 'Value'}
      aside={
        <>
          {!absent && !isOpen && <CopyButton text={shown.text} noun="the value" />}
          {mayEdit && !isOpen && (
            <Button onClick={() => setOpen(true)}>
              {absent ? <Plus aria-hidden="true" /> : <Pencil aria-hidden="true" />}
              {absent ? 'Add' : 'Edit'}
            </Button>
          )}
        </>
      }
    >
      {isOpen ? (
        <ValueForm id={resource.id} isTest={isTest} given={shown} onClose={() => setOpen(false)} />
      ) : absent ? (
        <p className="resource-part soft">Story drafts use the value above.</p>
      ) : (
        <ValueView shown={shown} />
      )}
      {isTest && !absent && !resource.test_resource_enabled && (
        <p className="resource-part warn">Turned off: story drafts use the value above.</p>
      )}
    </Card>
  );
}

function ValueView({ shown: { text, kind } }: { shown: ValueText }) {
  if (kind === 'json' && jsonFault(text) === undefined) {
    return <JsonView value={parseExact(text)} label="Value" />;
  }
  if (text === '') return <p className="resource-part faint">The text is empty.</p>;
  return (
    <pre className="resource-text" tabIndex={0} role="region" aria-label="Text">
      {text}
    </pre>
  );
}

interface ValueFormProps {
  id: number;
  isTest: boolean;
  given: ValueText;
  onClose: () => void;
}

/** Changes a value of a resource. It is sent as the text that it is, so numbers keep all digits. */
function ValueForm({ id, isTest, given, onClose }: ValueFormProps) {
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
