import { Pencil, Plus } from 'lucide-react';
import { useState } from 'react';
import type { Resource } from '../../../../clients/typescript/api.js';
import { parseExact } from '../../text/exact-json.js';
import { Button } from '../../ui/form/button.js';
import { Card } from '../../ui/card.js';
import { CopyButton } from '../../ui/words/copy-button.js';
import { JsonView } from '../../ui/json-view/json-view.js';
import { ValueForm } from './value-form.js';
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
