import type { Step } from '../../../../clients/typescript/api.js';
import { Card } from '../../ui/card.js';
import { Answer } from '../../ui/states.js';
import { Time } from '../../ui/words/time.js';
import { useStepVersions } from './steps-data.js';

/** The versions of a step: who made each, when and why. */
export function StepVersions({ step }: { step: Step }) {
  const versions = useStepVersions(step.id);
  return (
    <Card title="Versions">
      <Answer of={versions} lines={3}>
        {({ step_versions: list }) => (
          <ul className="lines">
            {list.map(({ number, reason, user, created_at: at }) => (
              <li key={number} className="line">
                <div className="row row-wrap">
                  <span className="grow nowrap">Version {number}</span>
                  <bdi className="soft">
                    {[user.first_name, user.last_name].join(' ').trim() || user.email}
                  </bdi>
                  <Time at={at} />
                </div>
                {reason !== '' && <p className="wrap">{reason}</p>}
              </li>
            ))}
          </ul>
        )}
      </Answer>
    </Card>
  );
}
