import { X } from 'lucide-react';
import { lazy, Suspense, useMemo, useRef } from 'react';
import { type FieldNotes, type Fields, FieldsProvider } from '../../../inspector/form/field-context.js';
import { OptionForm } from '../../../inspector/form/option-form.js';
import type { Knowledge } from '../../../inspector/template-field/completions.js';
import { setFields } from '../../../story-model/commands/action-commands.js';
import { WEBHOOK_TYPE } from '../../../story-model/commands/link-commands.js';
import { optionsWithRecord, setShownOption } from '../../../story-model/settings-beside-options.js';
import { slugsBefore } from '../../../story-model/reading/upstream.js';
import { actionOf } from '../../../story-model/editor-store.js';
import { Button, IconButton } from '../../../ui/form/button.js';
import { Tick } from '../../../ui/form/field.js';
import { formulaOf, liquidOf } from '../../../ui/json-view/value-path.js';
import { Loading } from '../../../ui/states.js';
import { kindOf } from '../../../ui/words/action-kinds.js';
import { Badge } from '../../../ui/words/badge.js';
import { useEdited, useEditor, useRun, useView } from '../editor-context.js';
import { useCloseInspector } from '../inspector-focus.js';
import { useAgentTypes, useRecordTypeNames, useTemplateNames } from '../editor-data.js';
import { RequestImportButtons } from '../request-import/request-import-buttons.js';
import { REQUEST_TYPE } from '../request-import/request-import-dialog.js';
import { ScheduleCard } from '../schedule/schedule-card.js';
import { SampleInput } from '../sample/sample-input.js';
import { useSavedEvent } from '../sample/saved-payloads.js';
import {
  useNotes,
  useSampleInput,
  useSampleRuns,
  useShownSample,
  useTemplateLanguage,
} from '../sample/shown-sample.js';
import { keyOfPath } from '../sample/templates-in.js';
import { wholeValue } from '../sample/whole-value.js';
import type { OptionLook } from '../view-store.js';
import { StepLine } from '../steps/step-line.js';
import { WebhookPart } from '../webhook/webhook-part.js';
import styles from './action-editor.module.css';
import { NameField } from './name-field.js';

const LOOKS: Record<OptionLook, string> = { form: 'Form', json: 'JSON', yaml: 'YAML' };
const TextEditor = lazy(async () => ({ default: (await import('../text/text-editor.js')).TextEditor }));
const NO_NOTES: FieldNotes = { faults: [], rendered: undefined };

/** One action under edit: its name, whether it is on, and its options. */
export function ActionEditor({ actionKey }: { actionKey: string }) {
  const { readOnly, view } = useEditor();
  const close = useCloseInspector();
  const action = useEdited(actionOf(actionKey));
  const run = useRun();
  const type = useAgentTypes().data?.get(action?.type ?? '');
  const { fields, insert, isPending, isIncomplete } = useFieldsOf(actionKey);
  const look = useView((state) => state.look);
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
      <StepLine action={action} />
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
            onClick={() => view.getState().showAs(name as OptionLook)}
          >
            {word}
          </Button>
        ))}
        {action.type === REQUEST_TYPE && !isReadOnly && (
          <RequestImportButtons actionKey={actionKey} options={action.options} />
        )}
      </div>
      {look !== 'form' ? (
        <Suspense fallback={<Loading lines={6} />}>
          <TextEditor scope={{ options: actionKey }} format={look} label={`Options as ${LOOKS[look]}`} />
        </Suspense>
      ) : (
        <FieldsProvider value={fields}>
          {/* A webhook has no input. */}
          {(action.type !== WEBHOOK_TYPE || fields.knowledge.sample !== undefined) && (
            <SampleInput
              sample={fields.knowledge.sample}
              isIncomplete={isIncomplete}
              isPending={isPending}
              onInsert={insert}
            />
          )}
          <OptionForm options={optionsWithRecord(action)} type={type} />
        </FieldsProvider>
      )}
      {action.type !== WEBHOOK_TYPE && <ScheduleCard actionKey={actionKey} action={action} />}
    </div>
  );
}

function useFieldsOf(actionKey: string) {
  const { store, storyId, draftId, teamId, readOnly } = useEditor();
  const run = useRun();
  const action = useEdited(actionOf(actionKey));
  const source = useShownSample();
  const saved = useSavedEvent(source);
  const { data: input, isFetching } = useSampleInput(action, source);
  const isPending = useSampleRuns().isPending || isFetching;
  const names = useTemplateNames(teamId);
  const before = useEdited(({ draft }) => slugsBefore(draft, actionKey).join(' '));
  const recordTypes = useRecordTypeNames(teamId, action?.type === 'Agents::RecordAgent');
  const insert = useRef<(text: string) => void>(undefined);
  const language = useTemplateLanguage();
  const options = useMemo(() => action && optionsWithRecord(action), [action]);
  const notes = useNotes(action, { options, source, language });
  const knowledge: Knowledge = useMemo(
    () => ({ language, sample: input?.event?.value, actions: before.split(' ').filter(Boolean), ...names }),
    [language, input, before, names],
  );
  const fields: Fields = {
    knowledge,
    recordTypes,
    isReadOnly: readOnly !== undefined,
    notesOf: (path) => notes.get(keyOfPath(path)) ?? NO_NOTES,
    wholeOf: async (path) => {
      if (action === undefined || options === undefined) return '';
      return wholeValue(action, path, { options, storyId: draftId ?? storyId, source, saved });
    },
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
    /** The sample is on its way. */
    isPending,
    isIncomplete: input?.sample?.incomplete === true,
    /** Puts a reference into the field that had the focus last. */
    insert: (steps: readonly (string | number)[]) =>
      insert.current?.(language === 'liquid' ? liquidOf(steps) : formulaOf(steps)),
  };
}
