import { Link } from 'wouter';
import type { PromotionDetails as Details } from '../../../../clients/typescript/api.js';
import { isolated } from '../../text/isolated.js';
import { Button } from '../../ui/form/button.js';
import { Dialog } from '../../ui/overlay/dialog.js';
import { Answer } from '../../ui/states.js';
import { Badge } from '../../ui/words/badge.js';
import { usePromotion } from './promotions-data.js';
import { STATE_TONES } from './story-checks.js';

/** The result of a promotion: its stories, and the URLs of their webhooks. */
export function PromotionDetails({ id, name, onClose }: { id: number; name: string; onClose: () => void }) {
  const promotion = usePromotion(id);
  return (
    <Dialog title={name} about="The stories that came with this promotion." wide onClose={onClose}>
      <div className="dialog-body stack">
        <Answer of={promotion} lines={4}>
          {(found) => (
            <>
              {found.reverted_at !== null && (
                <p role="status">
                  <Badge>reverted</Badge> The stories have the versions of before
                  {found.revert_reason !== null && (
                    <>
                      : <bdi>{found.revert_reason}</bdi>
                    </>
                  )}
                  .
                </p>
              )}
              {found.stories.map((story) => (
                <Story key={story.story_id} story={story} isReverted={found.reverted_at !== null} />
              ))}
            </>
          )}
        </Answer>
      </div>
      <footer className="dialog-foot">
        <Button onClick={onClose}>Close</Button>
      </footer>
    </Dialog>
  );
}

function Story({ story, isReverted }: { story: Details['stories'][number]; isReverted: boolean }) {
  const { story_id: id, name, state, webhooks } = story;
  return (
    <section className="promoted-story" aria-label={name}>
      <h3 className="row row-wrap">
        {isReverted && state === 'new' ? (
          <bdi className="wrap">{name}</bdi>
        ) : (
          <Link className="wrap" href={`/stories/${id}`}>
            <bdi>{name}</bdi>
          </Link>
        )}
        <Badge tone={STATE_TONES[state]}>{state}</Badge>
      </h3>
      {webhooks.length > 0 && (
        <ul className="promoted-lines">
          {webhooks.map(({ action, url }) => (
            <li key={url} className="wrap">
              {isolated(action)}: <code>{url}</code>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
