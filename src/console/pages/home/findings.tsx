import { ShieldCheck } from 'lucide-react';
import { Badge, type Tone } from '../../ui/words/badge.js';
import { Card } from '../../ui/card.js';
import { nounWords } from '../../ui/words/figures.js';
import { Answer, Nothing } from '../../ui/states.js';
import { useDoctor } from './home-data.js';

const TONES: Record<string, Tone> = { error: 'bad', warning: 'warn', note: 'plain' };

/** The doctor's findings about stores and work: each with why it matters and how to end it. */
export function Findings() {
  const doctor = useDoctor();
  return (
    <Card
      title="Doctor"
      aside={<span className="faint">{doctor.data && nounWords(doctor.data.checks, 'check')}</span>}
    >
      <Answer of={doctor}>
        {({ findings }) =>
          findings.length === 0 ? (
            <Nothing title="No problems found." icon={<ShieldCheck aria-hidden="true" />} />
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
          )
        }
      </Answer>
    </Card>
  );
}
