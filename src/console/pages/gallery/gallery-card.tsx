import { memo } from 'react';
import { Badge } from '../../ui/words/badge.js';
import { Button } from '../../ui/form/button.js';
import { nounWords } from '../../ui/words/figures.js';
import { type GalleryExport, type GalleryStory, isCalled, type Need } from './gallery-story.js';
import './picture/story-picture.css';
import { pictureOf } from './picture/picture.js';

/** A small picture of a story's canvas: its shape, without names. */
const StoryPicture = memo(function StoryPicture({ story }: { story: GalleryExport }) {
  const { frame, actions, notes, links } = pictureOf(story);
  return (
    <svg
      className="story-picture"
      role="img"
      aria-label={`Its canvas: ${nounWords(actions.length, 'action')}`}
      viewBox={`${frame.x} ${frame.y} ${frame.width} ${frame.height}`}
      preserveAspectRatio="xMidYMid meet"
    >
      {notes.map(({ x, y, width, height }) => (
        <rect key={`${x} ${y}`} className="picture-note" {...{ x, y, width, height }} rx="6" />
      ))}
      {links.map(({ path, kind }) => (
        <path key={path} className={`picture-link ${kind}`} d={path} />
      ))}
      {actions.map(({ x, y, width, height, kind }) => (
        <g key={`${x} ${y}`} className={`picture-action ${kind}`}>
          <rect className="picture-box" {...{ x, y, width, height }} rx="8" />
          <rect className="picture-sign" x={x + 14} y={y + 15} width="22" height="22" rx="6" />
          <rect className="picture-line" x={x + 48} y={y + 14} width="118" height="9" rx="4.5" />
          <rect className="picture-line faint" x={x + 48} y={y + 30} width="72" height="7" rx="3.5" />
        </g>
      ))}
    </svg>
  );
});

interface GalleryCardProps {
  ready: GalleryStory;
  /** Absent for those who may not import it. */
  onUse: (() => void) | undefined;
}

/** One ready story: its shape, what it does, and what it needs. */
export function GalleryCard({ ready, onUse }: GalleryCardProps) {
  const { slug, story, needs } = ready;
  return (
    <article className="card gallery-card" aria-labelledby={`gallery-${slug}`}>
      <div className="gallery-picture">
        <StoryPicture story={story} />
      </div>
      <div className="gallery-words">
        <h2 id={`gallery-${slug}`}>{story.name}</h2>
        <p className="soft">{story.description}</p>
        <div className="row row-wrap">
          {story.tags.map((tag) => (
            <Badge key={tag}>{tag}</Badge>
          ))}
          <span className="faint">
            {nounWords(story.agents.length, 'action')},{' '}
            {isCalled(ready) ? 'starts with a webhook' : 'starts on a schedule'}
          </span>
        </div>
        <NeedList needs={needs} />
      </div>
      {onUse && (
        <footer className="gallery-foot">
          <Button aria-describedby={`gallery-${slug}`} onClick={onUse}>
            Use this story
          </Button>
        </footer>
      )}
    </article>
  );
}

function NeedList({ needs }: { needs: Need[] }) {
  return (
    <details className="gallery-needs">
      <summary>Needs {nounWords(needs.length, 'value')}</summary>
      <dl>
        {needs.map(({ kind, name, means }) => (
          <div key={name}>
            <dt>
              <code>{name}</code> <span className="faint">{kind}</span>
            </dt>
            <dd className="soft">{means}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
