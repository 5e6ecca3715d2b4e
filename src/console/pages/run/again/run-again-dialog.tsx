import { useState } from 'react';
import { useLocation } from 'wouter';
import { Button } from '../../../ui/form/button.js';
import { Dialog } from '../../../ui/overlay/dialog.js';
import { Field, Select } from '../../../ui/form/field.js';
import { Loading, Nothing } from '../../../ui/states.js';
import { say } from '../../../ui/overlay/toasts.js';
import type { Step } from '../run-tree.js';
import { payloadFault, startRun, type Target, usePayload, useTargets } from './again-data.js';
import { isolated } from '../../../text/isolated.js';
import { useMutation } from '../../../api/use-mutation.js';

interface RunAgainProps {
  step: Step;
  input: unknown;
  storyId: number;
  onClose: () => void;
}

/** Starts a new run at a step, with its payload or a changed one. */
export function RunAgainDialog({ step, input, storyId, onClose }: RunAgainProps) {
  const targets = useTargets(step, storyId);
  const [at, setAt] = useState(0);
  const target = targets[at];
  return (
    <Dialog
      wide
      title="Run from here"
      about="Starts a new run with the current story. Its actions really send requests and mails."
      onClose={onClose}
    >
      {target === undefined ? (
        <Nothing title="The action was removed from the story." />
      ) : (
        <>
          <div className="dialog-body again-target">
            <Field name="Start at">
              <Select value={at} onChange={(event) => setAt(Number(event.target.value))}>
                {targets.map(({ name, payload, actionId }, index) => (
                  <option key={`${actionId}-${payload}`} value={index}>
                    {payload === 'before'
                      ? `${isolated(name)}, again`
                      : `${isolated(name)}, which received the event`}
                  </option>
                ))}
              </Select>
            </Field>
          </div>
          <PayloadForm key={at} step={step} input={input} target={target} onClose={onClose} />
        </>
      )}
    </Dialog>
  );
}

type PayloadFormProps = Omit<RunAgainProps, 'storyId'> & { target: Target };

function PayloadForm({ step, input, target, onClose }: PayloadFormProps) {
  const [, go] = useLocation();
  const given = usePayload(step, input, target.payload).data;
  const [edited, setEdited] = useState<string>();
  const text = edited ?? given?.text ?? '';
  const fault = given === undefined ? undefined : payloadFault(text);
  const starting = useMutation({
    mutationFn: () => startRun(target.actionId, text),
    onSuccess: ({ story_id: story, story_run_guid: guid }) => {
      say('Run started.');
      onClose();
      go(`/runs/${story}/${guid}`);
    },
  });
  return (
    <>
      <div className="dialog-body stack">
        {given === undefined && <Loading />}
        {given?.isRounded === true && (
          <p className="warn">
            Large numbers are rounded: this browser supports 15 digits. Enter them again.
          </p>
        )}
        {given?.tooLarge === true && <p className="soft">The payload is too large to edit here.</p>}
        {given?.tooLarge === false && (
          <Field name="Payload">
            <textarea
              className="input payload-text"
              spellCheck={false}
              rows={14}
              value={text}
              aria-invalid={fault !== undefined}
              onChange={(event) => setEdited(event.target.value)}
            />
          </Field>
        )}
        {fault !== undefined && (
          <p className="bad wrap" role="alert">
            {fault}
          </p>
        )}
      </div>
      <footer className="dialog-foot">
        <Button onClick={onClose}>Close</Button>
        <Button
          look="main"
          disabled={given === undefined || fault !== undefined || starting.isPending}
          onClick={() => starting.mutate()}
        >
          Start the run
        </Button>
      </footer>
    </>
  );
}
