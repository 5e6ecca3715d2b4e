import type {
  CheckedPromotionStory,
  PromotionCheck,
  PromotionConflict,
} from '../../../../clients/typescript/api.js';
import { isolated } from '../../text/isolated.js';
import { Badge, type Tone } from '../../ui/words/badge.js';
import { nounWords } from '../../ui/words/figures.js';
import { DifferenceList } from '../editor/publish/difference-list.js';

const TONES: Record<CheckedPromotionStory['state'], Tone> = {
  new: 'info',
  changed: 'warn',
  unchanged: 'plain',
};

/** What a promotion would do to each story, and what stands in its way. */
export function StoryChecks({ check: { ok, stories } }: { check: PromotionCheck }) {
  return (
    <div className="stack">
      <p role="status">
        {ok ? (
          <Badge tone="ok">{`${nounWords(stories.length, 'story', 'stories')} can be promoted`}</Badge>
        ) : (
          <Badge tone="bad">This cannot be promoted yet</Badge>
        )}
      </p>
      {stories.map((story) => (
        <StoryCheck key={story.source_guid} story={story} />
      ))}
    </div>
  );
}

function StoryCheck({ story }: { story: CheckedPromotionStory }) {
  const { name, team, state, count } = story;
  const faults = faultsOf(story);
  return (
    <section className="promoted-story" aria-label={name}>
      <h3 className="row row-wrap">
        <bdi className="wrap">{name}</bdi>
        <Badge tone={TONES[state]}>{state}</Badge>
        <span className="faint">
          in <bdi>{team}</bdi>
        </span>
      </h3>
      <Lines title="In the way" lines={faults} />
      {state === 'changed' && (
        <details>
          <summary>{nounWords(count, 'difference')}</summary>
          <DifferenceList differences={story.story_diff} nothing="Nothing is listed." />
          {!story.complete && <p className="faint">Only the first ones are listed.</p>}
        </details>
      )}
      {story.kept.length > 0 && (
        <details>
          <summary>{nounWords(story.kept.length, 'change')} made here stays</summary>
          <DifferenceList differences={story.kept} nothing="Nothing is listed." />
        </details>
      )}
      <Lines title="Creates" lines={story.new_record_types.map((type) => `record type ${isolated(type)}`)} />
      <Lines title="Webhooks" lines={story.webhooks.map(webhookWords)} />
    </section>
  );
}

/** Returns why a story cannot be promoted: `No credential “Jira” here`. */
function faultsOf({ missing, refusals, conflicts, conflict_count: count }: CheckedPromotionStory): string[] {
  const left = count - conflicts.length;
  return [
    ...missing.map(({ kind, name }) => `There is no ${kind} ${isolated(name)} here.`),
    ...refusals,
    ...conflicts.map(conflictWords),
    ...(left > 0 ? [`and ${nounWords(left, 'conflict')} more`] : []),
  ];
}

function conflictWords({ kind, action, path, live, incoming }: PromotionConflict): string {
  const place = [action === null ? kind : isolated(action), path].filter(Boolean).join(', ');
  return `Both changed ${place}: here it is ${shown(live)}, and comes with ${shown(incoming)}.`;
}

const MOST_CHARACTERS = 60;

function shown(value: unknown): string {
  const text = isolated(JSON.stringify(value ?? null));
  return text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}…` : text;
}

function webhookWords({ action, url, is_kept: isKept }: CheckedPromotionStory['webhooks'][number]): string {
  const address = url ?? 'a new URL';
  return `${isolated(action)}: ${address}${isKept ? ', as now' : ', with a new secret'}`;
}

function Lines({ title, lines }: { title: string; lines: readonly string[] }) {
  if (lines.length === 0) return null;
  return (
    <div>
      <h4>{title}</h4>
      <ul className="promoted-lines">
        {lines.map((line) => (
          <li key={line} className="wrap">
            {line}
          </li>
        ))}
      </ul>
    </div>
  );
}
