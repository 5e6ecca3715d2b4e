import '../../ui/lists/table.css';
import { Lock, Star, Zap } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { ActiveStory, Statistics } from '../../../../clients/typescript/api.js';
import { Badge } from '../../ui/words/badge.js';
import { IconButton } from '../../ui/form/button.js';
import { countWords, nounWords } from '../../ui/words/figures.js';
import { Spark } from '../../ui/charts/spark.js';
import { Time } from '../../ui/words/time.js';
import { OwnerLink } from '../story/owner-name.js';
import { toggleStar, useStars } from './stars.js';
import { folderPath, useDayOfStories, useFolders, useHoursOf } from './stories-data.js';
import { OPENS_ROW } from '../../ui/lists/open-rows.js';

interface StoryTableProps {
  stories: ActiveStory[];
  chosen: ReadonlySet<number>;
  onChoose: (chosen: ReadonlySet<number>) => void;
}

/** The stories of a page, each with its last day. */
export function StoryTable({ stories, chosen, onChoose }: StoryTableProps) {
  const day = useDayOfStories().data;
  const isAll = stories.every(({ id }) => chosen.has(id));
  const choose = (id: number) =>
    onChoose(chosen.has(id) ? new Set([...chosen].filter((each) => each !== id)) : new Set([...chosen, id]));
  return (
    <table className="table stories">
      <thead>
        <tr>
          <th>
            <input
              type="checkbox"
              aria-label="Select all on this page"
              checked={isAll}
              onChange={() => onChoose(new Set(isAll ? [] : stories.map(({ id }) => id)))}
            />
          </th>
          <th className="fill">Name</th>
          <th className="wider">Owner</th>
          <th className="wider">Last 24 hours</th>
          <th className="number">Runs</th>
          <th className="number">Failed</th>
          <th className="number wide">Waiting</th>
          <th className="wide">Edited</th>
        </tr>
      </thead>
      <tbody>
        {stories.map((story) => (
          <StoryRow
            key={story.id}
            story={story}
            day={day?.get(story.id)}
            isChosen={chosen.has(story.id)}
            onChoose={() => choose(story.id)}
          />
        ))}
      </tbody>
    </table>
  );
}

interface StoryRowProps {
  story: ActiveStory;
  day: Statistics | undefined;
  isChosen: boolean;
  onChoose: () => void;
}

function StoryRow({ story, day, isChosen, onChoose }: StoryRowProps) {
  const { id, name, owner } = story;
  const { pending_action_runs_count: waiting = 0, not_working_actions_count: broken = 0 } = story;
  const isStarred = useStars().has(id);
  const failed = day?.runs_failed ?? 0;
  return (
    <tr>
      <td>
        <span className="row">
          <input type="checkbox" aria-label={`Select ${name}`} checked={isChosen} onChange={onChoose} />
          <IconButton
            label={isStarred ? `Unstar ${name}` : `Star ${name}`}
            aria-pressed={isStarred}
            className={isStarred ? 'starred' : 'unstarred'}
            onClick={() => toggleStar(id)}
          >
            <Star />
          </IconButton>
        </span>
      </td>
      <td className="fill">
        <div className="fill-part">
          <Link href={`/stories/${id}`} className="story-name cut" {...OPENS_ROW}>
            {name}
          </Link>
          <StoryMarks story={story} broken={broken} />
        </div>
      </td>
      <td className="wider soft">
        {owner === null ? (
          '–'
        ) : (
          <span className="cut story-owner-name">
            <OwnerLink owner={owner} />
          </span>
        )}
      </td>
      <td className="wider">
        <DayLine storyId={id} runs={day?.runs_started ?? 0} />
      </td>
      <td className="number">{day === undefined ? '–' : countWords(day.runs_started ?? 0)}</td>
      <td className={`number ${failed > 0 ? 'bad' : 'faint'}`}>
        {day === undefined ? '–' : countWords(failed)}
      </td>
      <td className={`number wide ${waiting > 0 ? '' : 'faint'}`}>{countWords(waiting)}</td>
      <td className="wide soft">
        <Time at={story.edited_at} />
      </td>
    </tr>
  );
}

function StoryMarks({ story, broken }: { story: ActiveStory; broken: number }) {
  const folders = useFolders().data ?? [];
  const folder = folderPath(folders, story.folder_id);
  const marks: ReactNode[] = [];
  if (story.disabled) marks.push(<Badge key="off">disabled</Badge>);
  if (broken > 0)
    marks.push(
      <Badge key="bad" tone="bad">
        {broken === 1 ? '1 action failed' : `${broken} actions failed`}
      </Badge>,
    );
  if (story.priority)
    marks.push(
      <Badge key="up" tone="info">
        <Zap aria-hidden="true" />
        priority
      </Badge>,
    );
  if (story.locked)
    marks.push(
      <Badge key="lock">
        <Lock aria-hidden="true" />
        locked
      </Badge>,
    );
  for (const tag of story.tags)
    marks.push(
      <Badge key={`tag ${tag}`} title={tag}>
        {tag}
      </Badge>,
    );
  const starts = startWords(story);
  if (folder === '' && starts === '' && marks.length === 0) return null;
  return (
    <div className="row row-wrap story-marks">
      {folder !== '' && <span className="faint cut">{folder}</span>}
      {starts !== '' && <span className="faint">{starts}</span>}
      {marks}
    </div>
  );
}

/** Returns how the runs of a story start: `starts: webhook, schedule`. */
function startWords({ starts_by: starts = [] }: ActiveStory): string {
  return starts.length === 0 ? '' : `starts: ${starts.join(', ')}`;
}

function DayLine({ storyId, runs }: { storyId: number; runs: number }) {
  const { data } = useHoursOf(storyId, runs > 0);
  const bars = (data ?? []).map(({ runs_ended: ended, runs_failed: failed }) => ({
    all: ended ?? 0,
    bad: failed ?? 0,
  }));
  return <Spark bars={bars} label={`${nounWords(runs, 'run')} in the last 24 hours`} />;
}
