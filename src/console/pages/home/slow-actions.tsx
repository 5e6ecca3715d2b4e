import { Link } from 'wouter';
import { Card } from '../../ui/card.js';
import { Answer, Nothing } from '../../ui/states.js';
import { nounWords } from '../../ui/words/figures.js';
import { spanWords } from '../../ui/words/since.js';
import { useSlowActions } from './home-data.js';
import { OPENS_ROW } from '../../ui/lists/open-rows.js';

/** The actions that took longest for an event in the last day. */
export function SlowActions() {
  return (
    <Card title="Slowest actions, last 24 hours">
      <Answer of={useSlowActions()}>
        {(actions) =>
          actions.length === 0 ? (
            <Nothing title="No actions ran in the last 24 hours." />
          ) : (
            <ul className="lines">
              {actions.map(({ action_id: id, action_name: name, story_id: story, ...action }) => (
                <li key={id} className="line">
                  <div className="row">
                    <Link
                      href={`/stories/${story}?action=${id}`}
                      className="line-name cut grow"
                      {...OPENS_ROW}
                    >
                      {name}
                    </Link>
                    <span>{spanWords((action.mean_work ?? 0) * 1000)} per event</span>
                  </div>
                  <p className="row soft">
                    <bdi className="cut grow">{action.story_name}</bdi>
                    <span className="faint">{nounWords(action.events, 'event')}</span>
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
