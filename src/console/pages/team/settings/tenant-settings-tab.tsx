import { useState } from 'react';
import { useIsOwner } from '../../../api/signed-in.js';
import { Card } from '../../../ui/card.js';
import { Button } from '../../../ui/form/button.js';
import { Field, Select } from '../../../ui/form/field.js';
import { Answer } from '../../../ui/states.js';
import { POLICY_WORDS, type TestPolicy, useSetTestPolicy, useTestPolicy } from './test-policy.js';

/** Settings that hold for all teams together. */
export function TenantSettingsTab() {
  const policy = useTestPolicy();
  return (
    <div className="team-part">
      <Card title="Tests of stories">
        <div className="team-setting">
          <Answer of={policy} lines={3}>
            {(known) => <PolicyForm key={known} policy={known} />}
          </Answer>
        </div>
      </Card>
    </div>
  );
}

function PolicyForm({ policy }: { policy: TestPolicy }) {
  const isOwner = useIsOwner();
  const [chosen, setChosen] = useState(policy);
  const saving = useSetTestPolicy();
  return (
    <form
      className="team-part"
      onSubmit={(event) => {
        event.preventDefault();
        saving.mutate(chosen);
      }}
    >
      <Field
        name="When tests fail"
        note="What a publication does, in all teams. A story may be stricter in its settings."
      >
        <Select
          value={chosen}
          disabled={!isOwner}
          onChange={({ target }) => setChosen(target.value === 'block' ? 'block' : 'warn')}
        >
          {Object.entries(POLICY_WORDS).map(([value, words]) => (
            <option key={value} value={value}>
              {words}
            </option>
          ))}
        </Select>
      </Field>
      <p className="soft">
        {chosen === 'block'
          ? 'A publication with a failing test is refused. A team admin may publish all the same, with a reason that the audit log keeps.'
          : 'A publication with a failing test goes on, and names the test.'}
      </p>
      {isOwner ? (
        <div>
          <Button type="submit" look="main" disabled={chosen === policy || saving.isPending}>
            Save
          </Button>
        </div>
      ) : (
        <p className="faint">An owner changes this.</p>
      )}
    </form>
  );
}
