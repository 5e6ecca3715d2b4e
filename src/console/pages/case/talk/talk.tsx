import { MessageSquare } from 'lucide-react';
import { useState } from 'react';
import type { Case, CaseActivity } from '../../../../../clients/typescript/api.js';
import { useMay } from '../../../api/signed-in.js';
import { Button } from '../../../ui/form/button.js';
import { Card } from '../../../ui/card.js';
import { Select } from '../../../ui/form/field.js';
import { Answer, Nothing } from '../../../ui/states.js';
import { type NameOf, useActivities } from '../case-data.js';
import { Time } from '../../../ui/words/time.js';
import { personName } from '../../cases/cases-data.js';
import { ActivityWords } from './activity-words.js';
import { Comment } from './comment.js';
import { CommentForm } from './comment-form.js';

/** Activities and comments, the oldest first, and a form for a new comment. */
export function Talk({ one, nameOf }: { one: Case; nameOf: NameOf }) {
  const activities = useActivities(one);
  const mayComment = useMay('write', one.team.id);
  const [onlyComments, setOnlyComments] = useState(false);
  return (
    <Card
      title="Activity"
      aside={
        <Select
          aria-label="Filter activity"
          value={onlyComments ? 'comments' : 'all'}
          onChange={({ target }) => setOnlyComments(target.value === 'comments')}
        >
          <option value="all">All activity</option>
          <option value="comments">Comments</option>
        </Select>
      }
    >
      {activities.hasNextPage && (
        <div className="case-older">
          <Button disabled={activities.isFetchingNextPage} onClick={() => void activities.fetchNextPage()}>
            {activities.isFetchingNextPage ? 'Loading…' : 'Older activity'}
          </Button>
        </div>
      )}
      <Answer of={activities} lines={6}>
        {({ pages }) => {
          const all = pages.toReversed().flatMap((page) => page.activities);
          const shown = onlyComments ? all.filter(({ activity_type: type }) => type === 'COMMENTED') : all;
          return shown.length === 0 ? (
            <Nothing title="No activity yet." icon={<MessageSquare aria-hidden="true" />} />
          ) : (
            <ol>
              {shown.map((activity) => (
                <ActivityLine key={activity.id} one={one} activity={activity} nameOf={nameOf} />
              ))}
            </ol>
          );
        }}
      </Answer>
      {mayComment && <CommentForm one={one} nameOf={nameOf} />}
    </Card>
  );
}

interface ActivityLineProps {
  one: Case;
  activity: CaseActivity;
  nameOf: NameOf;
}

/** One activity: who did what, and when; a comment with its text. */
function ActivityLine({ one, activity, nameOf }: ActivityLineProps) {
  const isComment = activity.activity_type === 'COMMENTED';
  return (
    <li className={`case-activity ${isComment ? 'case-said' : ''}`}>
      <p className="wrap">
        <Doer activity={activity} /> <ActivityWords activity={activity} nameOf={nameOf} />{' '}
        <span className="faint">
          <Time at={activity.created_at} />
        </span>
      </p>
      {isComment && <Comment one={one} activity={activity} nameOf={nameOf} />}
    </li>
  );
}

/** The user who is shown as the author, and who acted if that is another. */
function Doer({ activity: { user, acting_user: acting } }: Pick<ActivityLineProps, 'activity'>) {
  return (
    <>
      <bdi className="line-name">{user === null ? 'Deleted user' : personName(user)}</bdi>
      {acting !== undefined && (
        <span className="faint">
          {' '}
          (by <bdi>{personName(acting)}</bdi>)
        </span>
      )}
    </>
  );
}
