import '../../ui/lists/lines.css';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { api } from '../../api/console-api.js';
import { keys } from '../../api/keys.js';
import { isAbsent } from '../../text/problems.js';
import { Card } from '../../ui/card.js';
import { nounWords } from '../../ui/words/figures.js';
import { Answer, Nothing } from '../../ui/states.js';
import { useStoryNames } from '../runs/run-list-data.js';
import { OPENS_ROW } from '../../ui/lists/open-rows.js';

/** Actions that are named; of further ones only the number is told. */
const MOST = 20;

/** The actions that name a thing, each with a way to it. */
export function UsedBy({ actionIds, name }: { actionIds: readonly number[]; name: string }) {
  const rest = actionIds.length - MOST;
  const actions = useActions(actionIds.slice(0, MOST));
  const stories = useStoryNames().data;
  return (
    <Card title="Used by" aside={<span className="faint">{nounWords(actionIds.length, 'action')}</span>}>
      {actionIds.length === 0 ? (
        <Nothing title="Not used by any action.">
          <p>
            Actions refer to it as <code className="wrap">{name}</code>. Names computed by templates are not
            found here.
          </p>
        </Nothing>
      ) : (
        <Answer of={actions} lines={2}>
          {(found) => (
            <ul className="lines">
              {found.map(({ id, name: action, story_id: story }) => (
                <li key={id} className="line row">
                  <Link href={`/stories/${story}?action=${id}`} className="line-name cut" {...OPENS_ROW}>
                    {action}
                  </Link>
                  <span className="soft cut">in {stories?.get(story) ?? `story ${story}`}</span>
                </li>
              ))}
              {rest > 0 && <li className="line faint">and {nounWords(rest, 'more action')}</li>}
            </ul>
          )}
        </Answer>
      )}
    </Card>
  );
}

function useActions(ids: readonly number[]) {
  return useQuery({
    queryKey: keys.actions(ids),
    enabled: ids.length > 0,
    queryFn: async () => {
      const found = await Promise.all(ids.map(findAction));
      return found.filter((action) => action !== null);
    },
  });
}

/** An action may be gone by now. */
async function findAction(id: number) {
  try {
    return await api.actions.get({ id });
  } catch (error) {
    if (isAbsent(error)) return null;
    throw error;
  }
}
