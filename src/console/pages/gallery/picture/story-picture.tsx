import './story-picture.css';
import { memo } from 'react';
import { nounWords } from '../../../ui/words/figures.js';
import type { GalleryExport } from '../gallery-story.js';
import { pictureOf } from './picture.js';

/** A small picture of a story's canvas: its shape, without names. */
export const StoryPicture = memo(function StoryPicture({ story }: { story: GalleryExport }) {
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
