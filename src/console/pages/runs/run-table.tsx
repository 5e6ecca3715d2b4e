import '../../ui/lists/table.css';
import { Link } from 'wouter';
import type { Run } from '../../../../clients/typescript/api.js';
import { Badge } from '../../ui/words/badge.js';
import { countWords } from '../../ui/words/figures.js';
import { spanWords } from '../../ui/words/since.js';
import { Time } from '../../ui/words/time.js';
import { RunStateBadge } from './run-state-badge.js';
import { runPath, shortGuid, SOURCE_WORDS } from './run-words.js';
import { OPENS_ROW } from '../../ui/lists/open-rows.js';

interface RunTableProps {
  runs: Run[];
  names: ReadonlyMap<number, string> | undefined;
  /** Whether all are of one story, which need not be named. */
  isOfStory?: boolean;
}

/** Runs, a row each; the first cell leads to the run. */
export function RunTable({ runs, names, isOfStory = false }: RunTableProps) {
  return (
    <table className="table">
      <thead>
        <tr>
          <th className="run-what">{isOfStory ? 'Run' : 'Story'}</th>
          <th>Status</th>
          <th className="fill wider">Cause</th>
          <th className="wide">Started by</th>
          <th className="number wide">Events</th>
          <th className="number wide">Took</th>
          <th className="number">Started</th>
        </tr>
      </thead>
      <tbody>
        {runs.map((run) => (
          <tr key={run.guid}>
            <td className="run-what">
              <Link href={runPath(run)} {...OPENS_ROW} className="run-name" title={run.guid}>
                {!isOfStory && (
                  <span className="cut">{names?.get(run.story_id) ?? `Story ${run.story_id}`}</span>
                )}
                <code className={isOfStory ? '' : 'faint wide'}>{shortGuid(run.guid)}</code>
                {run.draft_name !== null && <Badge>draft {run.draft_name}</Badge>}
              </Link>
              {run.cause !== null && (
                <div className="run-cause-below cut soft" title={run.cause}>
                  {run.cause}
                </div>
              )}
            </td>
            <td>
              <RunStateBadge run={run} />
            </td>
            <td className="fill wider cut soft" title={run.cause ?? undefined}>
              {run.cause}
            </td>
            <td className="wide nowrap soft">{SOURCE_WORDS[run.source]}</td>
            <td className="number wide">{countWords(run.event_count)}</td>
            <td className="number wide nowrap">{tookWords(run.duration)}</td>
            <td className="number">
              <Time at={run.created_at} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The API has whole seconds. */
function tookWords(seconds: number | null): string {
  if (seconds === null) return '–';
  return seconds < 1 ? 'under 1 s' : spanWords(seconds * 1000);
}
