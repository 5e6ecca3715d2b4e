import { Pencil, X } from 'lucide-react';
import { useState } from 'react';
import type { Case } from '../../../../../clients/typescript/api.js';
import { api } from '../../../api/console-api.js';
import { useMay } from '../../../api/signed-in.js';
import { Button, IconButton } from '../../../ui/form/button.js';
import { TextArea } from '../../../ui/form/field.js';
import { textIn } from '../../../ui/form/form-text.js';
import { Card } from '../../../ui/card.js';
import { say } from '../../../ui/overlay/toasts.js';
import { isolated } from '../../../text/isolated.js';
import { useCaseWork } from '../../cases/cases-data.js';
import { AddLine } from '../add-line.js';
import { shownValue, typedValue } from './metadata-value.js';

const MOST_CHARACTERS = 5_000;

/** The metadata: values under names of the team's own, which conditions may ask for. */
export function FieldsCard({ one: { case_id: id, metadata, team } }: { one: Case }) {
  const mayChange = useMay('write', team.id);
  const work = useCaseWork();
  const [edited, setEdited] = useState<string>();
  const set = (key: string, text: string) =>
    api.cases.metadata.update({ id, metadata: { [key]: typedValue(text) } });
  const entries = Object.entries(metadata);
  const remove = (key: string, value: unknown) => {
    const restore = () => work.mutate(() => api.cases.metadata.update({ id, metadata: { [key]: value } }));
    work.mutate(() => api.cases.metadata.delete({ id, metadata: [key] }), {
      onSuccess: () =>
        say(`Field ${isolated(key.slice(0, 60))} removed.`, 'ok', { name: 'Undo', onDo: restore }),
    });
  };
  return (
    <Card title="Fields">
      {entries.length === 0 && <p className="case-none faint">No fields yet.</p>}
      <ul>
        {entries.map(([key, value]) => (
          <li key={key} className="case-item case-field">
            <span className="row">
              <bdi className="grow wrap soft">{key}</bdi>
              {mayChange && (
                <>
                  <IconButton label={`Edit the field ${key.slice(0, 60)}`} onClick={() => setEdited(key)}>
                    <Pencil />
                  </IconButton>
                  <IconButton
                    label={`Remove the field ${key.slice(0, 60)}`}
                    disabled={work.isPending}
                    onClick={() => remove(key, value)}
                  >
                    <X />
                  </IconButton>
                </>
              )}
            </span>
            {edited === key ? (
              <ValueForm
                name={key}
                text={shownValue(value)}
                isBusy={work.isPending}
                onCancel={() => setEdited(undefined)}
                onSave={(text) =>
                  work.mutate(() => set(key, text), { onSuccess: () => setEdited(undefined) })
                }
              />
            ) : (
              <FieldValue text={shownValue(value)} />
            )}
          </li>
        ))}
      </ul>
      {mayChange && (
        <AddLine
          fields={[
            { name: 'key', label: 'Field', suggestions: entries.map(([key]) => key) },
            { name: 'value', label: 'Value', isOptional: true },
          ]}
          verb="Set"
          isBusy={work.isPending}
          onAdd={({ key = '', value = '' }, onSuccess) => work.mutate(() => set(key, value), { onSuccess })}
        />
      )}
    </Card>
  );
}

const toField = (field: HTMLTextAreaElement | null) => field?.focus();

interface ValueFormProps {
  name: string;
  text: string;
  isBusy: boolean;
  onCancel: () => void;
  onSave: (text: string) => void;
}

/** A value under edit, in its place. Escape leaves it as it was. */
function ValueForm({ name, text, isBusy, onCancel, onSave }: ValueFormProps) {
  return (
    <form
      className="case-value-form"
      onSubmit={(event) => {
        event.preventDefault();
        onSave(textIn(event.currentTarget, 'value'));
      }}
    >
      <TextArea
        name="value"
        aria-label={`Value of ${name.slice(0, 60)}`}
        rows={Math.min(8, text.split('\n').length)}
        defaultValue={text}
        ref={toField}
        onKeyDown={({ key }) => key === 'Escape' && onCancel()}
      />
      <span className="row">
        <Button type="submit" look="main" disabled={isBusy}>
          Save
        </Button>
        <Button onClick={onCancel}>Cancel</Button>
      </span>
    </form>
  );
}

/** A region that scrolls must be reachable by keyboard. */
function FieldValue({ text }: { text: string }) {
  const rest = text.length - MOST_CHARACTERS;
  const shown = rest > 0 ? `${text.slice(0, MOST_CHARACTERS)}…` : text;
  return text.length > 200 || text.includes('\n') ? (
    <pre className="case-value" tabIndex={0} role="region" aria-label="Value">
      {shown}
    </pre>
  ) : (
    <p className="wrap">{text === '' ? <span className="faint">empty</span> : shown}</p>
  );
}
