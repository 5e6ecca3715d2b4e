import { Link } from 'wouter';
import type { RepositoryChange } from '../../../../../../clients/typescript/api.js';
import { Badge, type Tone } from '../../../../ui/words/badge.js';

const STATES: Record<RepositoryChange['state'], { word: string; tone: Tone }> = {
  planned: { word: 'planned', tone: 'info' },
  done: { word: 'done', tone: 'ok' },
  conflict: { word: 'conflict', tone: 'bad' },
  waiting: { word: 'pull request', tone: 'running' },
  held: { word: 'held', tone: 'warn' },
};
const KINDS = { add: 'new', change: 'changed', delete: 'deleted' };

/** The changes of a sync: from where, which story, what became of it and why. */
export function ChangeLines({ changes }: { changes: readonly RepositoryChange[] }) {
  if (changes.length === 0) return null;
  return (
    <ul className="lines">
      {changes.map((change) => (
        <li key={`${change.direction} ${change.place}`} className="line stack">
          <div className="row row-wrap">
            <Badge tone={STATES[change.state].tone}>{STATES[change.state].word}</Badge>
            <StoryName change={change} />
            <span className="soft">
              {KINDS[change.kind]} {change.direction === 'pull' ? 'in the repository' : 'here'}
            </span>
            {change.compare_url !== null && (
              <a href={change.compare_url} target="_blank" rel="noreferrer">
                Pull request
              </a>
            )}
            {change.draft_id !== null && change.story_id !== null && (
              <Link href={`/stories/${change.story_id}/edit/publish?draft=${change.draft_id}`}>
                Compare the draft
              </Link>
            )}
          </div>
          {change.message !== null && <p className="soft wrap">{change.message}</p>}
          {change.details.map((detail) => (
            <p key={detail} className="faint wrap">
              {detail}
            </p>
          ))}
        </li>
      ))}
    </ul>
  );
}

function StoryName({ change: { story_id: id, name } }: { change: RepositoryChange }) {
  return id === null ? (
    <span className="line-name wrap">{name}</span>
  ) : (
    <Link href={`/stories/${id}`} className="line-name wrap">
      {name}
    </Link>
  );
}
