import { useState } from 'react';
import { useLocation } from 'wouter';
import { api } from '../../../api/console-api.js';
import { useChange } from '../../../api/use-change.js';
import { Field, TextArea } from '../../../ui/form/field.js';
import { textIn } from '../../../ui/form/form-text.js';
import { FormDialog } from '../../../ui/overlay/form-dialog.js';
import { Question } from '../../../ui/overlay/question.js';
import { isolated } from '../../../text/isolated.js';
import type { StoryToAsk } from './palette-hit.js';

/** The question of the palette before it starts or switches a story. */
export function StoryQuestion({ asked, onClose }: { asked: StoryToAsk; onClose: () => void }) {
  return asked.verb === 'start' ? (
    <StartQuestion asked={asked} onClose={onClose} />
  ) : (
    <SwitchQuestion asked={asked} onClose={onClose} />
  );
}

interface AskedProps {
  asked: StoryToAsk;
  onClose: () => void;
}

function StartQuestion({ asked: { id, name }, onClose }: AskedProps) {
  const [, go] = useLocation();
  const [fault, setFault] = useState<string>();
  const starting = useChange((payload: Record<string, unknown>) => api.stories.runs.start({ id, payload }), {
    did: 'Run started.',
    old: ['runs'],
    onDone({ guid }) {
      onClose();
      go(`/runs/${id}/${guid}`);
    },
  });
  return (
    <FormDialog
      title={`Start ${isolated(name)}?`}
      about="A real run begins at the first action: requests and mails are sent."
      button="Start"
      isBusy={starting.isPending}
      onClose={onClose}
      onSend={(form) => {
        const payload = objectIn(textIn(form, 'payload'));
        setFault(payload === undefined ? 'The event must be a JSON object.' : undefined);
        if (payload !== undefined) starting.mutate(payload);
      }}
    >
      <Field name="Event" {...(fault !== undefined && { note: <span className="bad">{fault}</span> })}>
        <TextArea name="payload" rows={6} className="mono" spellCheck={false} defaultValue="{}" />
      </Field>
    </FormDialog>
  );
}

function objectIn(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

function SwitchQuestion({ asked: { id, name, verb }, onClose }: AskedProps) {
  const isOff = verb === 'disable';
  const switching = useChange(() => api.stories.update({ id, disabled: isOff }), {
    did: isOff ? 'The story is disabled.' : 'The story is enabled.',
    old: ['story', 'stories', 'webhooks', 'schedules'],
    onDone: onClose,
  });
  return (
    <Question
      title={`${isOff ? 'Disable' : 'Enable'} ${isolated(name)}?`}
      about={
        isOff
          ? 'Its webhooks answer 404, its schedules start nothing, and waiting work is paused.'
          : 'Its webhooks and schedules start runs again, and paused work goes on.'
      }
      button={isOff ? 'Disable' : 'Enable'}
      isBusy={switching.isPending}
      onClose={onClose}
      onYes={() => switching.mutate(undefined)}
    />
  );
}
