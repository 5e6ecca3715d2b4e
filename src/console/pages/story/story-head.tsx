import { Download, EllipsisVertical, FlaskConical, Pause, Play } from 'lucide-react';
import { Link } from 'wouter';
import { api, sendText } from '../../api/console-api.js';
import { useMutation } from '../../api/use-mutation.js';
import { useAddress } from '../../ui/browser/use-address.js';
import { Badge } from '../../ui/words/badge.js';
import { Button, IconButton } from '../../ui/form/button.js';
import { Select } from '../../ui/form/field.js';
import { Menu, MenuItem } from '../../ui/overlay/menu.js';
import { Time } from '../../ui/words/time.js';
import { sampleSlugOf } from '../gallery/sample/sample-slug.js';
import { fileNameOf } from '../stories/file-name.js';
import { saveFile } from '../stories/save-file.js';
import { DisableQuestion } from './disable/disable-question.js';
import { useEnabling } from './disable/use-enabling.js';
import { EditButton } from './edit/edit-button.js';
import { OwnerName } from './owner-name.js';
import { StartButton } from './start/start-button.js';
import type { View } from './story-address.js';
import { type Place, useDrafts, useMayChange, useStory } from './story-data.js';

interface StoryHeadProps {
  place: Place;
  /** The open tab. */
  view: View;
  onDraft: (draft: number | undefined) => void;
}

/** The tabs that a draft has too. A chosen draft is named on the others as well: Start, Edit and Export act on it. */
const OF_DRAFTS: ReadonlySet<View> = new Set<View>(['canvas', 'tests', 'versions', 'settings']);

/** The name of the story, what it is in, and what can be done with it as a whole. */
export function StoryHead({ place, view, onDraft }: StoryHeadProps) {
  const story = useStory(place.storyId).data;
  const drafts = useDrafts(place.storyId).data ?? [];
  const mayChange = useMayChange(place.storyId) === true;
  const enabling = useEnabling({
    name: story?.name ?? '',
    set: (disabled) => api.stories.update({ id: place.storyId, disabled }),
    old: ['story', 'stories', 'schedules'],
  });
  const exporting = useMutation({
    mutationFn: async () => {
      const query = place.draftId === undefined ? '' : `?draft_id=${place.draftId}`;
      saveFile(
        fileNameOf(story?.name ?? ''),
        await sendText('GET', `/api/v1/stories/${place.storyId}/export${query}`),
      );
    },
  });
  const [, change] = useAddress();
  if (story === undefined) return null;
  const sample = sampleSlugOf(story);
  return (
    <header className="story-head">
      <div className="grow story-title">
        <h1 className="cut" title={story.name}>
          <Link href="/stories" className="soft">
            Stories
          </Link>
          <span className="faint"> / </span>
          {story.name}
        </h1>
        <div className="row row-wrap">
          {story.disabled && <Badge>disabled</Badge>}
          {story.priority && <Badge tone="info">priority</Badge>}
          {story.locked && <Badge>locked</Badge>}
          {story.change_control_enabled && <Badge>change control</Badge>}
          {story.tags.map((tag) => (
            <Badge key={tag} title={tag}>
              {tag}
            </Badge>
          ))}
          <span className="faint">
            <Time at={story.edited_at} prefix="edited " />
          </span>
          {story.owner !== null && <OwnerName owner={story.owner} />}
        </div>
      </div>
      {drafts.length > 0 && (OF_DRAFTS.has(view) || place.draftId !== undefined) && (
        <Select
          aria-label="Draft"
          value={place.draftId ?? ''}
          onChange={({ target }) => onDraft(target.value === '' ? undefined : Number(target.value))}
        >
          <option value="">Live story</option>
          {drafts.map(({ id, name }) => (
            <option key={id} value={id}>
              Draft: {name}
            </option>
          ))}
        </Select>
      )}
      {mayChange && <StartButton story={story} place={place} />}
      {mayChange && <EditButton place={place} />}
      {mayChange && story.disabled && (
        <Button disabled={enabling.isBusy} onClick={() => enabling.onSwitch(false)}>
          <Play aria-hidden="true" /> Enable
        </Button>
      )}
      <Menu
        button={
          <IconButton label="More">
            <EllipsisVertical />
          </IconButton>
        }
      >
        <MenuItem onSelect={() => exporting.mutate()}>
          <Download aria-hidden="true" /> Export
        </MenuItem>
        {sample !== undefined && (
          <MenuItem onSelect={() => change({ sample })}>
            <FlaskConical aria-hidden="true" /> Sample event
          </MenuItem>
        )}
        {mayChange && !story.disabled && (
          <MenuItem onSelect={() => enabling.onSwitch(true)}>
            <Pause aria-hidden="true" /> Disable the story…
          </MenuItem>
        )}
      </Menu>
      {enabling.isAsked && (
        <DisableQuestion
          place={{ storyId: place.storyId, draftId: undefined }}
          name={story.name}
          isBusy={enabling.isBusy}
          onClose={enabling.onClose}
          onYes={enabling.onYes}
        />
      )}
    </header>
  );
}
