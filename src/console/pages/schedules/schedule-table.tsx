import '../../ui/lists/table.css';
import { Link } from 'wouter';
import type { Schedule } from '../../../../clients/typescript/api.js';
import { Badge } from '../../ui/words/badge.js';
import { Time } from '../../ui/words/time.js';
import { runPath, TONES } from '../runs/run-words.js';
import { cronWords } from './cron-words.js';
import { actionPath, NextStart, ScheduleBadges, ScheduleSwitch } from './schedule-badges.js';
import { isolated } from '../../text/isolated.js';
import { OPENS_ROW } from '../../ui/lists/open-rows.js';

interface ScheduleTableProps {
  schedules: Schedule[];
  /** Whether all are of one story, which need not be named. */
  isOfStory?: boolean;
}

/** Schedules, a row each, the next one first. */
export function ScheduleTable({ schedules, isOfStory = false }: ScheduleTableProps) {
  return (
    <div className="table-frame">
      <table className="table">
        <thead>
          <tr>
            <th className="fill">Action</th>
            <th className="wide">Times</th>
            <th>Next</th>
            <th className="wide">Last run</th>
            <th>
              <span className="unseen">Pause or resume</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {schedules.map((schedule) => (
            <ScheduleRow key={schedule.id} schedule={schedule} isOfStory={isOfStory} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function ScheduleRow({ schedule, isOfStory }: { schedule: Schedule; isOfStory: boolean }) {
  const { action, story, cron, timezone } = schedule;
  const times = cronWords(cron) ?? <code>{cron}</code>;
  return (
    <tr>
      <td className="fill">
        <div className="cut schedule-name" title={`${isolated(story.name)} › ${action.name}`}>
          <Link href={actionPath(schedule)} {...OPENS_ROW}>
            {action.name}
          </Link>{' '}
          {!isOfStory && <span className="faint">in {story.name}</span>}
        </div>
        <div className="faint schedule-times">{times}</div>
        <div className="row row-wrap">
          <ScheduleBadges schedule={schedule} />
        </div>
      </td>
      <td className="wide nowrap">
        <div title={`${cron} in ${timezone}`}>{times}</div>
        <div className="faint">{timezone}</div>
      </td>
      <td className="nowrap">
        <NextStart schedule={schedule} />
      </td>
      <td className="wide nowrap">
        <LastRun schedule={schedule} />
      </td>
      <td className="number">
        <ScheduleSwitch schedule={schedule} />
      </td>
    </tr>
  );
}

function LastRun({ schedule: { last_at: at, last_run: run, story, timezone } }: { schedule: Schedule }) {
  if (at === null) return <span className="faint">none yet</span>;
  return (
    <span className="row">
      {run !== null && (
        <Link href={runPath({ story_id: story.id, guid: run.guid })} aria-label={`Last run: ${run.status}`}>
          <Badge tone={TONES[run.status]}>{run.status}</Badge>
        </Link>
      )}
      <span className="soft">
        <Time at={at} zone={timezone} />
      </span>
    </span>
  );
}
