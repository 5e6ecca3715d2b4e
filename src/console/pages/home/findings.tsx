import { ShieldCheck } from 'lucide-react';
import { Badge, type Tone } from '../../ui/words/badge.js';
import { Card } from '../../ui/card.js';
import { nounWords } from '../../ui/words/figures.js';
import { Answer, Nothing } from '../../ui/states.js';
import { useDoctor, useStatus } from './home-data.js';

const TONES: Record<string, Tone> = { error: 'bad', warning: 'warn', note: 'plain' };

/** The doctor's findings besides those of the verdict: each with why it matters and how to end it. */
export function DoctorFindings() {
  const doctor = useDoctor();
  const told = new Set(useStatus().data?.reasons.map(({ id }) => id));
  return (
    <Card
      title="Doctor"
      aside={<span className="faint">{doctor.data && nounWords(doctor.data.checks, 'check')}</span>}
    >
      <Answer of={doctor}>
        {({ findings: all }) => {
          const findings = all.filter(({ id }) => !told.has(id));
          return findings.length === 0 ? (
            <Nothing
              title={all.length === 0 ? 'No problems found.' : 'No further problems found.'}
              icon={<ShieldCheck aria-hidden="true" />}
            />
          ) : (
            <ul className="lines">
              {findings.map(({ id, severity, found, why, remedy }) => (
                <li key={`${id} ${found}`} className="line">
                  <details>
                    <summary className="row">
                      <Badge tone={TONES[severity] ?? 'plain'}>{severity}</Badge>
                      <span className="grow wrap">{found}</span>
                    </summary>
                    <p className="soft wrap">{why}</p>
                    <p className="wrap">{remedy}</p>
                  </details>
                </li>
              ))}
            </ul>
          );
        }}
      </Answer>
    </Card>
  );
}
