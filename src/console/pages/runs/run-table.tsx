import '../../ui/lists/table.css';
import type { FoundRun } from '../../../../clients/typescript/api.js';
import { RowLink } from '../../ui/split/split.js';
import { Badge } from '../../ui/words/badge.js';
import { countWords } from '../../ui/words/figures.js';
import { spanWords } from '../../ui/words/since.js';
import { Time } from '../../ui/words/time.js';
import { RunStateBadge } from './run-state-badge.js';
import { runPath, shortGuid, SOURCE_WORDS } from './run-words.js';

interface RunTableProps {
  runs: FoundRun[];
  /** The value that was searched; empty: none was. */
  value: string;
  /** The names of stories by their ids; null: all runs are of one story, whose page it is. */
  names: ReadonlyMap<number, string> | null | undefined;
}

/** Runs, a row each; the first cell leads to the run. */
export function RunTable({ runs, value, names }: RunTableProps) {
  return (
    <table className="table">
      <thead>
        <tr>
          <th className={names === null ? '' : 'run-what'}>{names === null ? 'Run' : 'Story'}</th>
          <th>Status</th>
          <th className="fill run-about">Subject</th>
          <th className="run-cause wider">Cause</th>
          <th className="wide">Started by</th>
          <th className="number wider">Events</th>
          <th className="number wider">Took</th>
          <th className="number">Started</th>
        </tr>
      </thead>
      <tbody>
        {runs.map((run) => (
          <RunRow key={run.guid} run={run} value={value} names={names} />
        ))}
      </tbody>
    </table>
  );
}

function RunRow({ run, value, names }: Omit<RunTableProps, 'runs'> & { run: FoundRun }) {
  const { guid, story_id: storyId, subject, cause, match } = run;
  const step = match === null ? '' : `?step=event-${match.event_id}`;
  return (
    <tr>
      <td className={names === null ? '' : 'run-what'}>
        <RowLink href={runPath(run) + step} className="run-name" title={guid}>
          {names !== null && <span className="cut">{names?.get(storyId) ?? `Story ${storyId}`}</span>}
          <code className={names === null ? '' : 'faint wider'}>{shortGuid(guid)}</code>
          {run.draft_name !== null && <Badge>draft {run.draft_name}</Badge>}
        </RowLink>
        {subject !== null && <div className="run-below cut">{subject}</div>}
        {cause !== null && (
          <div className="run-below soft" title={cause}>
            {cause}
          </div>
        )}
      </td>
      <td>
        <RunStateBadge run={run} />
      </td>
      <td className="fill run-about" title={subject ?? undefined}>
        <div className="one-line">{subject ?? <span className="faint">–</span>}</div>
        {match?.path && <Matched path={match.path} value={value} />}
      </td>
      <td className="run-cause wider soft" title={cause ?? undefined}>
        <div className="one-line">{cause}</div>
      </td>
      <td className="wide nowrap soft">{SOURCE_WORDS[run.source]}</td>
      <td className="number wider">{countWords(run.event_count)}</td>
      <td className="number wider nowrap">{tookWords(run.duration)}</td>
      <td className="number">
        <Time at={run.created_at} />
      </td>
    </tr>
  );
}

/** Where a run has the value that was searched. */
function Matched({ path, value }: { path: string; value: string }) {
  return (
    <div className="one-line">
      <code>
        {path}: <mark>{value}</mark>
      </code>
    </div>
  );
}

/** The API has whole seconds. */
function tookWords(seconds: number | null): string {
  if (seconds === null) return '–';
  return seconds < 1 ? 'under 1 s' : spanWords(seconds * 1000);
}
