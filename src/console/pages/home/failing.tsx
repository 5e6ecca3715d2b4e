import { CircleCheck } from 'lucide-react';
import { Link } from 'wouter';
import { Badge } from '../../ui/words/badge.js';
import { Card } from '../../ui/card.js';
import { countWords } from '../../ui/words/figures.js';
import { Answer, Nothing } from '../../ui/states.js';
import { Time } from '../../ui/words/time.js';
import { useStatus } from './home-data.js';
import { OPENS_ROW } from '../../ui/lists/open-rows.js';

/** Stories with dead letters, those that failed last before the others. */
export function Failing() {
  const status = useStatus();
  return (
    <Card title="Failing stories">
      <Answer of={status}>
        {({ stories }) =>
          stories === null || stories.failing.length === 0 ? (
            <Nothing title="No stories have dead letters." icon={<CircleCheck aria-hidden="true" />} />
          ) : (
            <ul className="lines">
              {stories.failing
                .slice(0, 12)
                .map(({ id, name, dead_letters: letters, last_at: at, last_error: error }) => (
                  <li key={id} className="line">
                    <div className="row">
                      <Link href={`/stories/${id}`} className="line-name cut grow" {...OPENS_ROW}>
                        {name}
                      </Link>
                      <Badge tone="bad">
                        {letters === 1 ? '1 dead letter' : `${countWords(letters)} dead letters`}
                      </Badge>
                      <span className="faint">
                        <Time at={at} />
                      </span>
                    </div>
                    <p className="soft cut" title={error}>
                      {error}
                    </p>
                  </li>
                ))}
            </ul>
          )
        }
      </Answer>
    </Card>
  );
}
