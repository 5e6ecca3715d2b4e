import { Badge } from '../../ui/words/badge.js';
import { Button } from '../../ui/form/button.js';
import { nounWords } from '../../ui/words/figures.js';
import { type GalleryStory, isCalled, type Need } from './gallery-story.js';
import { StoryPicture } from './picture/story-picture.js';

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
          <Button look="main" aria-describedby={`gallery-${slug}`} onClick={onUse}>
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
