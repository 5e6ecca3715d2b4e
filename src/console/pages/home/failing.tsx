import { CircleCheck } from 'lucide-react';
import { Link } from 'wouter';
import { isolated } from '../../text/isolated.js';
import { Badge } from '../../ui/words/badge.js';
import { Card } from '../../ui/card.js';
import { nounWords } from '../../ui/words/figures.js';
import { Answer, Nothing } from '../../ui/states.js';
import { Time } from '../../ui/words/time.js';
import { letterPath } from '../dead-letters/letter-filters.js';
import { useStatus } from './home-data.js';
import { OPENS_ROW } from '../../ui/lists/open-rows.js';

const SHOWN = 3;

/** The stories that failed last, each with the cause; a row leads to its dead letters. */
export function Failing() {
  const status = useStatus();
  const failing = status.data?.stories?.failing ?? [];
  return (
    <Card
      title="Failing stories"
      aside={failing.length > SHOWN && <Link href="/dead-letters">All {failing.length}</Link>}
    >
      <Answer of={status}>
        {() =>
          failing.length === 0 ? (
            <Nothing title="No stories have dead letters." icon={<CircleCheck aria-hidden="true" />} />
          ) : (
            <ul className="lines">
              {failing
                .slice(0, SHOWN)
                .map(
                  ({
                    id,
                    name,
                    dead_letters: letters,
                    last_at: at,
                    last_error: error,
                    last_cause: cause,
                  }) => (
                    <li key={id} className="line">
                      <div className="row">
                        <Link href={letterPath({ story: id })} className="line-name cut grow" {...OPENS_ROW}>
                          {name}
                        </Link>
                        <Badge tone="bad">{nounWords(letters, 'dead letter')}</Badge>
                        <span className="faint">
                          <Time at={at} />
                        </span>
                      </div>
                      <p className="soft failing-cause wrap" title={error}>
                        {isolated(cause || error)}
                      </p>
                    </li>
                  ),
                )}
            </ul>
          )
        }
      </Answer>
    </Card>
  );
}
