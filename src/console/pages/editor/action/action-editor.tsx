import { X } from 'lucide-react';
import type { GraphAction } from '../../../../../clients/typescript/api.js';
import { useMemo, useRef, useState } from 'react';
import { type FieldNotes, type Fields, FieldsProvider } from '../../../inspector/form/field-context.js';
import { ValueText } from '../../../inspector/text-field/value-text.js';
import { OptionForm } from '../../../inspector/form/option-form.js';
import type { Knowledge } from '../../../inspector/template-field/completions.js';
import { setFields, setOptions } from '../../../story-model/commands/action-commands.js';
import { WEBHOOK_TYPE } from '../../../story-model/commands/link-commands.js';
import { optionsWithRecord, setShownOption } from '../../../story-model/settings-beside-options.js';
import { slugsBefore } from '../../../story-model/upstream.js';
import { actionOf } from '../../../story-model/editor-store.js';
import { Button, IconButton } from '../../../ui/form/button.js';
import { Tick } from '../../../ui/form/field.js';
import { hasEntries } from '../../../text/exact-json.js';
import type { FormatName } from '../../../text/formats/text-format.js';
import { formulaOf, liquidOf } from '../../../ui/json-view/value-path.js';
import { kindOf } from '../../../ui/words/action-kinds.js';
import { Badge } from '../../../ui/words/badge.js';
import { useEdited, useEditor, useRun } from '../editor-context.js';
import { useCloseInspector } from '../inspector-focus.js';
import { useAgentTypes, useRecordTypeNames, useTemplateNames } from '../editor-data.js';
import { RequestImportButtons } from '../request-import/request-import-buttons.js';
import { REQUEST_TYPE } from '../request-import/request-import-dialog.js';
import { ScheduleCard } from '../schedule/schedule-card.js';
import { SampleInput } from '../sample/sample-input.js';
import { useNotes, useSampleInput, useShownSample, useTemplateLanguage } from '../sample/shown-sample.js';
import { keyOfPath } from '../sample/templates-in.js';
import { WebhookPart } from '../webhook/webhook-part.js';
import styles from './action-editor.module.css';
import { NameField } from './name-field.js';

const LOOKS = { form: 'Form', json: 'JSON', yaml: 'YAML' };
const NO_NOTES: FieldNotes = { faults: [], rendered: undefined };

/** One action under edit: its name, whether it is on, and its options. */
export function ActionEditor({ actionKey }: { actionKey: string }) {
  const { readOnly } = useEditor();
  const close = useCloseInspector();
  const action = useEdited(actionOf(actionKey));
  const run = useRun();
  const type = useAgentTypes().data?.get(action?.type ?? '');
  const { fields, insert } = useFieldsOf(actionKey);
  const [look, setLook] = useState<keyof typeof LOOKS>('form');
  if (action === undefined) return null;
  const isReadOnly = readOnly !== undefined;
  return (
    <div className={styles['editor']}>
      <header className={styles['head']}>
        <Badge tone="info">{kindOf(action).word}</Badge>
        <h2 className="grow cut" title={action.name}>
          {action.name}
        </h2>
        <IconButton label="Close" onClick={close}>
          <X />
        </IconButton>
      </header>
      {type?.runnable === false && (
        <p className="warn">This server stores the action but cannot run it: {type.reason}</p>
      )}
      <NameField actionKey={actionKey} name={action.name} />
      <Tick
        checked={action.disabled !== true}
        disabled={isReadOnly}
        onChange={({ target }) => run(setFields(actionKey, { disabled: !target.checked }))}
      >
        Enabled
      </Tick>
      {action.type === WEBHOOK_TYPE && <WebhookPart actionKey={actionKey} action={action} />}
      <div className="row row-wrap" role="group" aria-label="View of the options">
        {Object.entries(LOOKS).map(([name, word]) => (
          <Button
            key={name}
            look="quiet"
            aria-pressed={look === name}
            onClick={() => setLook(name as keyof typeof LOOKS)}
          >
            {word}
          </Button>
        ))}
        {action.type === REQUEST_TYPE && !isReadOnly && (
          <RequestImportButtons actionKey={actionKey} options={action.options} />
        )}
      </div>
      {look !== 'form' ? (
        <OptionText key={look} actionKey={actionKey} options={action.options} format={look} />
      ) : (
        <FieldsProvider value={fields}>
          <SampleInput sample={fields.knowledge.sample} onInsert={insert} />
          <OptionForm options={optionsWithRecord(action)} type={type} />
        </FieldsProvider>
      )}
      {action.type !== WEBHOOK_TYPE && <ScheduleCard actionKey={actionKey} action={action} />}
    </div>
  );
}

interface OptionTextProps {
  actionKey: string;
  options: GraphAction['options'];
  format: FormatName;
}

/** The options as text, which may be changed. */
function OptionText({ actionKey, options, format }: OptionTextProps) {
  const { store, readOnly } = useEditor();
  const run = useRun();
  return (
    <ValueText
      label={`Options as ${LOOKS[format]}`}
      format={format}
      value={options}
      isReadOnly={readOnly !== undefined}
      onValue={(value) => {
        if (!hasEntries(value) || Array.isArray(value)) return 'Options are an object.';
        run(setOptions(actionKey, value as GraphAction['options']));
        return undefined;
      }}
      onLeave={() => store.getState().finish()}
    />
  );
}

function useFieldsOf(actionKey: string) {
  const { store, teamId, readOnly } = useEditor();
  const run = useRun();
  const action = useEdited(actionOf(actionKey));
  const source = useShownSample();
  const input = useSampleInput(action, source).data;
  const names = useTemplateNames(teamId);
  const before = useEdited(({ draft }) => slugsBefore(draft, actionKey).join(' '));
  const recordTypes = useRecordTypeNames(teamId, action?.type === 'Agents::RecordAgent');
  const insert = useRef<(text: string) => void>(undefined);
  const language = useTemplateLanguage();
  const notes = useNotes(action, source, language);
  const knowledge: Knowledge = useMemo(
    () => ({ language, sample: input?.event?.value, actions: before.split(' ').filter(Boolean), ...names }),
    [language, input, before, names],
  );
  const fields: Fields = {
    knowledge,
    recordTypes,
    isReadOnly: readOnly !== undefined,
    notesOf: (path) => notes.get(keyOfPath(path)) ?? NO_NOTES,
    onChange: (path, value) => {
      if (action !== undefined) run(setShownOption(actionKey, action, path, value));
    },
    onLeave: () => store.getState().finish(),
    onFocus: (next) => {
      insert.current = next;
    },
  };
  return {
    fields,
    /** Puts a reference into the field that had the focus last. */
    insert: (steps: readonly (string | number)[]) =>
      insert.current?.(language === 'liquid' ? liquidOf(steps) : formulaOf(steps)),
  };
}
