import { useState } from 'react';
import { useLocation } from 'wouter';
import { api } from '../../../api/console-api.js';
import { useChange } from '../../../api/use-change.js';
import { Field, TextArea } from '../../../ui/form/field.js';
import { textIn } from '../../../ui/form/form-text.js';
import { FormDialog } from '../../../ui/overlay/form-dialog.js';
import { Question } from '../../../ui/overlay/question.js';
import { isolated } from '../../../text/isolated.js';
import { DisableQuestion } from '../../../pages/story/disable/disable-question.js';
import { useEnabling } from '../../../pages/story/disable/use-enabling.js';
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
      about="This starts a real run at the first action. It sends requests and mails."
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
  const { isBusy, onSwitch, onYes } = useEnabling({
    name,
    set: async (disabled) => {
      await api.stories.update({ id, disabled });
      onClose();
    },
    old: ['story', 'stories', 'webhooks', 'schedules'],
  });
  if (verb === 'disable') {
    const place = { storyId: id, draftId: undefined };
    return <DisableQuestion place={place} name={name} isBusy={isBusy} onClose={onClose} onYes={onYes} />;
  }
  return (
    <Question
      title={`Enable ${isolated(name)}?`}
      about="Its webhooks and schedules start runs again, and paused work continues."
      button="Enable"
      isBusy={isBusy}
      onClose={onClose}
      onYes={() => onSwitch(false)}
    />
  );
}
