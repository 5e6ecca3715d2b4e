import type { CheckedPromotionStory, PromotionCheck } from '../../../../clients/typescript/api.js';
import { isolated } from '../../text/isolated.js';
import { Button } from '../../ui/form/button.js';
import { Badge, type Tone } from '../../ui/words/badge.js';
import { nounWords } from '../../ui/words/figures.js';
import {
  type Choices,
  ConflictChoices,
  type Side,
  type SideNames,
} from '../editor/publish/conflict-choices.js';
import { DifferenceList } from '../editor/publish/difference-list.js';
import type { StoryChoice, Taken } from './promotions-data.js';

export const STATE_TONES: Record<CheckedPromotionStory['state'], Tone> = {
  new: 'info',
  changed: 'warn',
  unchanged: 'plain',
};

interface StoryChecksProps {
  check: PromotionCheck;
  /** By the guid of the story in the source. */
  choices: Readonly<Record<string, StoryChoice>>;
  onChoose: (guid: string, choice: StoryChoice) => void;
}

/** The effect of a promotion on each story, what stands in its way, and what can be chosen. */
export function StoryChecks({ check: { ok, stories }, choices, onChoose }: StoryChecksProps) {
  const open = stories.reduce((sum, { open_count: count }) => sum + count, 0);
  return (
    <div className="stack">
      <p role="status">
        {ok ? (
          <Badge tone="ok">{`${nounWords(stories.length, 'story', 'stories')} can be promoted`}</Badge>
        ) : (
          <Badge tone="bad">
            {open > 0 ? `${nounWords(open, 'conflict')} to decide` : 'This cannot be promoted yet'}
          </Badge>
        )}
      </p>
      {stories.map((story) => (
        <StoryCheck
          key={story.source_guid}
          story={story}
          choice={choices[story.source_guid] ?? {}}
          isAlone={stories.length === 1}
          onChoose={(choice) => onChoose(story.source_guid, choice)}
        />
      ))}
    </div>
  );
}

interface StoryCheckProps {
  story: CheckedPromotionStory;
  choice: StoryChoice;
  /** Whether no other story would be left. */
  isAlone: boolean;
  onChoose: (choice: StoryChoice) => void;
}

/** More, and longer ones, are folded away at first. */
const OPEN = { differences: 5, characters: 1_000 };

function isShort({ count, story_diff: differences }: CheckedPromotionStory): boolean {
  return count <= OPEN.differences && JSON.stringify(differences).length <= OPEN.characters;
}

function StoryCheck({ story, choice, isAlone, onChoose }: StoryCheckProps) {
  const { name, team, state, count } = story;
  return (
    <section className="promoted-story" aria-label={name}>
      <header className="row row-wrap">
        <h3 className="row row-wrap grow">
          <bdi className="wrap">{name}</bdi>
          <Badge tone={STATE_TONES[state]}>{state}</Badge>
          <span className="faint wrap">
            in <bdi>{team}</bdi>
          </span>
        </h3>
        {!isAlone && (
          <Button
            look="quiet"
            aria-label={`Leave ${name} out`}
            onClick={() => onChoose({ ...choice, isLeftOut: true })}
          >
            Leave out
          </Button>
        )}
      </header>
      <Lines title="In the way" lines={faultsOf(story)} />
      <Conflicts story={story} choice={choice} onChoose={onChoose} />
      {state === 'changed' && (
        <details open={isShort(story)}>
          <summary>{nounWords(count, 'difference')}</summary>
          <DifferenceList differences={story.story_diff} nothing="Nothing is listed." />
          {!story.complete && <p className="faint">Only the first ones are listed.</p>}
        </details>
      )}
      {story.kept.length > 0 && (
        <details>
          <summary>
            {nounWords(story.kept.length, 'change')} made here {story.kept.length === 1 ? 'stays' : 'stay'}
          </summary>
          <DifferenceList differences={story.kept} nothing="Nothing is listed." />
        </details>
      )}
      <Lines title="Creates" lines={story.new_record_types.map((type) => `record type ${isolated(type)}`)} />
      <Lines title="Webhooks" lines={story.webhooks.map(webhookWords)} />
    </section>
  );
}

const NAMES: SideNames = {
  about: 'These were changed here and in the source. Choose which value counts.',
  base: 'As it came last',
  words: { live: 'this tenant', draft: 'the bundle' },
  titles: { live: 'Here', draft: 'In the bundle' },
};

function Conflicts({ story, choice, onChoose }: Omit<StoryCheckProps, 'isAlone'>) {
  const { conflicts, conflict_count: count, live_version: version } = story;
  const { entries = {}, rest } = choice;
  const isCurrent = rest !== undefined && rest.live_version === version;
  const chosen: Choices = new Map(Object.entries(entries).map(([entry, taken]) => [entry, sideOf(taken)]));
  return (
    <ConflictChoices
      names={NAMES}
      conflicts={conflicts.map(({ incoming, ...conflict }) => ({ ...conflict, draft: incoming }))}
      count={count}
      choices={chosen}
      rest={isCurrent ? sideOf(rest.take) : undefined}
      onChoose={(entry, side) => onChoose({ ...choice, entries: { ...entries, [entry]: takenOf(side) } })}
      onRest={(side) => onChoose({ rest: { take: takenOf(side), live_version: version ?? 0 } })}
    />
  );
}

const sideOf = (taken: Taken): Side => (taken === 'live' ? 'live' : 'draft');
const takenOf = (side: Side): Taken => (side === 'live' ? 'live' : 'incoming');

/** Returns why a story cannot be promoted, if not for conflicts: `There is no credential “Jira” here.` */
function faultsOf({ missing, refusals }: CheckedPromotionStory): string[] {
  return [...missing.map(({ kind, name }) => `There is no ${kind} ${isolated(name)} here.`), ...refusals];
}

function webhookWords({ action, url, is_kept: isKept }: CheckedPromotionStory['webhooks'][number]): string {
  const address = url ?? 'a new URL';
  return `${isolated(action)}: ${address}${isKept ? ', as now' : ', with a new secret'}`;
}

function Lines({ title, lines }: { title: string; lines: readonly string[] }) {
  if (lines.length === 0) return null;
  return (
    <div>
      <p className="promoted-title">{title}</p>
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
