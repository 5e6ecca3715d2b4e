import { FlaskConical } from 'lucide-react';
import { useState } from 'react';
import type { DeadLetter } from '../../../../../clients/typescript/api.js';
import { api } from '../../../api/console-api.js';
import { useMutation } from '../../../api/use-mutation.js';
import { Button } from '../../../ui/form/button.js';
import { Field, Select } from '../../../ui/form/field.js';
import { Failed, Loading } from '../../../ui/states.js';
import { type GivenAnswer, trialOf } from './trial-input.js';
import { TrialResult } from './trial-result.js';

const STATUSES: [number, string][] = [
  [200, '200 with this body'],
  [404, '404 with this body'],
  [500, '500 with this body'],
  [0, 'no response'],
];

/** Tries a letter against the story as it is now, in memory: nothing is sent or stored. */
export function TrialTab({ letter }: { letter: DeadLetter }) {
  const [answer, setAnswer] = useState<GivenAnswer>({ status: 200, body: '{}' });
  const trying = useMutation({
    mutationFn: () => api.trials.create(trialOf(letter, answer)),
    meta: { quiet: true },
  });
  return (
    <div className="stack">
      <p className="soft">
        The action processes its event again with its current options. Nothing is sent or stored.
      </p>
      <div className="trial-form">
        <Field name="Response to requests">
          <Select
            value={answer.status}
            onChange={({ target }) => setAnswer({ ...answer, status: Number(target.value) })}
          >
            {STATUSES.map(([status, name]) => (
              <option key={status} value={status}>
                {name}
              </option>
            ))}
          </Select>
        </Field>
        <Field name="Response body">
          <textarea
            className="input"
            rows={2}
            value={answer.body}
            disabled={answer.status === 0}
            onChange={({ target }) => setAnswer({ ...answer, body: target.value })}
          />
        </Field>
      </div>
      <div>
        <Button disabled={trying.isPending} onClick={() => trying.mutate()}>
          <FlaskConical aria-hidden="true" /> Run trial
        </Button>
      </div>
      {trying.isPending && <Loading />}
      {trying.error !== null && <Failed error={trying.error} />}
      {trying.data !== undefined && !trying.isPending && <TrialResult trial={trying.data} />}
    </div>
  );
}
