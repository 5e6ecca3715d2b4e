import { useState } from 'react';
import type { GraphAction, PreviewEvent } from '../../../../../clients/typescript/api.js';
import { Button } from '../../../ui/form/button.js';
import { Field, Input, TextArea } from '../../../ui/form/field.js';
import { entryOf, isWebhook } from '../../../story-model/entry.js';
import { slugOf } from '../../../text/action-slug.js';
import { hasEntries } from '../../../text/exact-json.js';
import { sentencesOf } from '../../../text/problems.js';
import { useEditorPlace } from '../editor-address.js';
import { useEdited, useEditor } from '../editor-context.js';
import { writeSample } from '../sample/sample-source.js';
import { readPayload, useSavedPayloads, useSavePayload } from '../sample/saved-payloads.js';
import { useSampleInput, useSampleRuns, useShownSample } from '../sample/shown-sample.js';

const EMPTY = '{\n  "body": {}\n}';
const DEFAULT_NAME = 'Payload';

/** Edits the payload that is the sample; offers to write one where a run is. `onText` gets the text as it is typed. */
export function PayloadField({ onText }: { onText: (name: string, text: string) => void }) {
  const { storyId } = useEditor();
  const [, go] = useEditorPlace(storyId);
  const sample = useShownSample();
  const saved = useSavedPayloads();
  const save = useSavePayload();
  const payloads = saved.data ?? [];
  const name = sample?.kind === 'saved' ? sample.name : undefined;
  const stored = payloads.find((each) => each.name === name)?.text;
  const entry = useEdited(({ draft }) => entryOf(draft));
  const input = useSampleInput(entry, sample);
  const seen = input.data?.event ?? undefined;
  // It would begin empty.
  const isReading = useSampleRuns().isPending || input.isFetching;
  const begin = () => {
    const next = freeName(payloads.map((each) => each.name));
    save.mutate(
      { name: next, text: firstText(entry, seen) },
      { onSuccess: () => go({ sample: writeSample({ kind: 'saved', name: next }) }) },
    );
  };
  if (name === undefined || stored === undefined) {
    return (
      <div className="stack">
        {save.error !== null && <p className="bad wrap">This browser cannot store payloads.</p>}
        <div>
          <Button disabled={isReading} onClick={begin}>
            Write a payload
          </Button>
        </div>
      </div>
    );
  }
  return (
    <Payload
      key={name}
      name={name}
      stored={stored}
      onText={(text) => onText(name, text)}
      onSave={(next, text) => {
        save.mutate(
          { name: next, text },
          {
            onSuccess: () => {
              if (next === name) return;
              save.mutate({ name, text: undefined });
              go({ sample: writeSample({ kind: 'saved', name: next }) });
            },
          },
        );
      }}
      onDelete={() => save.mutate({ name, text: undefined }, { onSuccess: () => go({ sample: undefined }) })}
    />
  );
}

interface PayloadProps {
  name: string;
  stored: string;
  onText: (text: string) => void;
  onSave: (name: string, text: string) => void;
  onDelete: () => void;
}

function Payload({ name, stored, onText, onSave, onDelete }: PayloadProps) {
  const entry = useEdited(({ draft }) => entryOf(draft));
  const [text, setText] = useState(stored);
  const [title, setTitle] = useState(name);
  const fault = faultOf(text);
  const keep = () => {
    const next = title.trim() === '' ? name : title.trim();
    if (fault === undefined && (text !== stored || next !== name)) onSave(next, text);
  };
  const begins =
    entry === undefined ? 'Payload' : isWebhook(entry) ? `Event of ${entry.name}` : `Input of ${entry.name}`;
  return (
    <div className="stack">
      <Field name={begins} note="Stored in this browser, only for you.">
        <TextArea
          rows={Math.min(12, text.split('\n').length + 1)}
          value={text}
          aria-invalid={fault !== undefined}
          onChange={({ target }) => {
            setText(target.value);
            onText(target.value);
          }}
          onBlur={keep}
        />
      </Field>
      {fault !== undefined && (
        <p className="bad wrap" role="alert">
          {fault}
        </p>
      )}
      <div className="row">
        <Input
          aria-label="Name of the payload"
          value={title}
          maxLength={100}
          onChange={({ target }) => setTitle(target.value)}
          onBlur={keep}
        />
        <Button onClick={onDelete}>Delete</Button>
      </div>
    </div>
  );
}

/** The event of the entry in the sample, if all of it is known. */
function firstText(entry: GraphAction | undefined, seen: PreviewEvent | undefined): string {
  if (entry === undefined || seen === undefined || seen.cut_texts.length + seen.left_out.length > 0)
    return EMPTY;
  const event = isWebhook(entry) ? seen.value[slugOf(entry.name)] : seen.value;
  return hasEntries(event) ? JSON.stringify(event, null, 2) : EMPTY;
}

function faultOf(text: string): string | undefined {
  try {
    readPayload(text);
    return undefined;
  } catch (error) {
    return sentencesOf(error)[0];
  }
}

function freeName(taken: readonly string[]): string {
  let name = DEFAULT_NAME;
  for (let count = 2; taken.includes(name); count += 1) name = `${DEFAULT_NAME} ${count}`;
  return name;
}
