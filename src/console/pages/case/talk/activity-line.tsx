import type { Case, CaseActivity } from '../../../../../clients/typescript/api.js';
import { Time } from '../../../ui/words/time.js';
import { personName } from '../../cases/cases-data.js';
import type { NameOf } from '../case-data.js';
import { ActivityWords } from './activity-words.js';
import { Comment } from './comment.js';

interface ActivityLineProps {
  one: Case;
  activity: CaseActivity;
  nameOf: NameOf;
}

/** One activity: who did what, and when; a comment with its text. */
export function ActivityLine({ one, activity, nameOf }: ActivityLineProps) {
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
