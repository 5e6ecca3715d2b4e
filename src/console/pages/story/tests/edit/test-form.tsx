import type { Action, StoryTest, StoryTestDifference } from '../../../../../../clients/typescript/api.js';
import { isWebhook } from '../../../../story-model/entry.js';
import { hasEntries } from '../../../../text/exact-json.js';
import { Field, Input, Select, TextArea } from '../../../../ui/form/field.js';
import { LONGEST_DESCRIPTION, LONGEST_NAME, type TestChange } from '../model/test-shape.js';
import { AnswerFields } from './answer-fields.js';
import { ExpectationFields } from './expectation-fields.js';
import { JsonValueField } from './json-value-field.js';
import { useTestFields } from './test-fields.js';

interface TestFormProps {
  test: StoryTest;
  actions: readonly Action[];
  differences: readonly StoryTestDifference[];
  onTest: (test: StoryTest) => void;
}

/** A test as fields: how it begins, the responses that it brings, and what it expects. */
export function TestForm({ test, actions, differences, onTest }: TestFormProps) {
  const { isReadOnly } = useTestFields();
  const change = (parts: TestChange) => {
    const entries = Object.entries({ ...test, ...parts }).filter(([, value]) => value !== undefined);
    // The order of its keys stays as it was.
    onTest(Object.fromEntries(entries) as unknown as StoryTest);
  };
  const { answers = [] } = test;
  return (
    <>
      <fieldset className="story-fields stack" disabled={isReadOnly}>
        <Field name="Name">
          <Input
            required
            maxLength={LONGEST_NAME}
            value={test.name}
            onChange={({ target }) => change({ name: target.value })}
          />
        </Field>
        <Field name="Description">
          <TextArea
            className="prose"
            rows={2}
            maxLength={LONGEST_DESCRIPTION}
            value={test.description ?? ''}
            onChange={({ target }) => change({ description: target.value || undefined })}
          />
        </Field>
      </fieldset>
      <Beginning test={test} actions={actions} change={change} />
      <AnswerFields
        answers={answers}
        onAnswers={(next) => change({ answers: next.length === 0 ? undefined : next })}
      />
      <section className="stack" aria-label="Resources and time">
        <h3>Resources and time</h3>
        <p className="soft">
          The test sees no resource of the team: it brings each one that a template reads, by its name.
        </p>
        <JsonValueField
          label="Resources"
          value={test.resources ?? {}}
          faultOf={requireObject}
          onValue={(resources) =>
            change({ resources: isEmpty(resources) ? undefined : (resources as StoryTest['resources']) })
          }
        />
        <Field name="Time at which it starts" note="ISO 8601. Delays and retries take no time.">
          <Input
            disabled={isReadOnly}
            placeholder="2026-01-01T09:00:00.000Z"
            value={test.at ?? ''}
            onChange={({ target }) => change({ at: target.value.trim() || undefined })}
          />
        </Field>
      </section>
      <ExpectationFields
        expect={test.expect}
        actions={actions}
        differences={differences}
        onExpect={(expect) => change({ expect })}
      />
    </>
  );
}

interface BeginningProps {
  test: StoryTest;
  actions: readonly Action[];
  change: (parts: TestChange) => void;
}

function Beginning({ test, actions, change }: BeginningProps) {
  const { isReadOnly } = useTestFields();
  const { action = '', body, headers } = test;
  const isRequest = body !== undefined;
  const start = actions.find(({ name }) => name === action);
  const mayRequest = isRequest || start === undefined || isWebhook(start);
  const names = [...new Set(actions.map(({ name }) => name))];
  return (
    <section className="stack" aria-label="Start">
      <h3>Start</h3>
      <fieldset className="story-fields stack" disabled={isReadOnly}>
        <Field name="Action">
          <Select value={action} onChange={({ target }) => change({ action: target.value || undefined })}>
            <option value="">The one at which a run by hand starts</option>
            {action !== '' && !names.includes(action) && (
              <option value={action}>{action} (not in the story)</option>
            )}
            {names.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </Select>
        </Field>
        {mayRequest && (
          <Field name="Begins with">
            <Select
              value={isRequest ? 'body' : 'event'}
              onChange={({ target }) => change(target.value === 'body' ? asRequest(test) : asEvent(test))}
            >
              <option value="event">The event that the action emits or receives</option>
              <option value="body">A request to the webhook, which reads it</option>
            </Select>
          </Field>
        )}
      </fieldset>
      {isRequest ? (
        <>
          <JsonValueField
            label="Body of the request"
            value={body}
            onValue={(next) => change({ body: next })}
          />
          <JsonValueField
            label="Headers of the request"
            value={headers ?? {}}
            faultOf={requireObject}
            onValue={(next) =>
              change({ headers: isEmpty(next) ? undefined : (next as StoryTest['headers']) })
            }
          />
        </>
      ) : (
        <JsonValueField label="Event" value={test.event ?? {}} onValue={(event) => change({ event })} />
      )}
    </section>
  );
}

/** The event of a webhook has the body and the headers of its request. */
function asRequest({ event }: StoryTest): TestChange {
  const own = isObject(event) ? event : {};
  const isWebhookEvent = Object.hasOwn(own, 'body');
  const headers = isObject(own['headers']) ? (own['headers'] as StoryTest['headers']) : undefined;
  return {
    event: undefined,
    body: isWebhookEvent ? own['body'] : own,
    headers: isWebhookEvent ? headers : undefined,
  };
}

function asEvent({ body, headers }: StoryTest): TestChange {
  return {
    event: { body: body ?? null, ...(headers !== undefined && { headers }) },
    body: undefined,
    headers: undefined,
  };
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  hasEntries(value) && !Array.isArray(value);
const isEmpty = (value: unknown) => isObject(value) && Object.keys(value).length === 0;
const requireObject = (value: unknown) => (isObject(value) ? undefined : 'This must be an object');
