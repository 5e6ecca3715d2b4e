import './markdown.css';
import { Fragment, memo, type ReactNode, useMemo, useState } from 'react';
import { Button } from '../button.js';
import { type Block, blocksIn } from './markdown-blocks.js';
import type { Inline } from './markdown-inlines.js';

/** A text of more characters or lines is folded. */
const FOLDED = { characters: 3_000, lines: 40 };

interface MarkdownProps {
  text: string;
  /** Returns the name of a mentioned user. */
  nameOf: (userId: number) => string;
}

/** A Markdown text as elements of the page, never as HTML: unknown marks stay text, and links lead to safe addresses. */
export const Markdown = memo(function Markdown({ text, nameOf }: MarkdownProps) {
  const beginning = beginningOf(text);
  const isLong = beginning.length < text.length;
  const [isOpen, setOpen] = useState(false);
  const shown = isOpen ? text : beginning;
  const blocks = useMemo(() => blocksIn(shown), [shown]);
  return (
    <div className="markdown">
      <div className={isLong && !isOpen ? 'markdown-folded' : ''}>{blocks.map(drawBlock(nameOf))}</div>
      {isLong && (
        <Button look="quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Show less' : 'Show all'}
        </Button>
      )}
    </div>
  );
});

/** What is in sight of a folded text, and some more. */
function beginningOf(text: string): string {
  const some = text.slice(0, FOLDED.characters).split('\n');
  return some.length <= FOLDED.lines && text.length <= FOLDED.characters
    ? text
    : some.slice(0, FOLDED.lines).join('\n');
}

type NameOf = MarkdownProps['nameOf'];

/** A text does not change in place, so the place of a part tells it from the others. */
const drawBlock = (nameOf: NameOf) => (block: Block, place: number) => {
  switch (block.kind) {
    case 'code':
      return (
        <pre key={place} className="markdown-code">
          {block.text}
        </pre>
      );
    case 'quote':
      return <blockquote key={place}>{block.blocks.map(drawBlock(nameOf))}</blockquote>;
    case 'rule':
      return <hr key={place} />;
    case 'list':
      return (
        <ul key={place}>
          {block.entries.map(({ level, mark, inside }, at) => (
            // oxlint-disable-next-line react/no-array-index-key
            <li key={at} style={{ paddingLeft: `${level * 18}px` }}>
              <span className="markdown-mark">{mark}</span>
              <span className="grow">{drawInlines(inside, nameOf)}</span>
            </li>
          ))}
        </ul>
      );
    default:
      return (
        <p key={place} className={block.kind === 'heading' ? 'markdown-heading' : ''}>
          {drawInlines(block.inside, nameOf)}
        </p>
      );
  }
};

function drawInlines(parts: readonly Inline[], nameOf: NameOf): ReactNode {
  // oxlint-disable-next-line react/no-array-index-key
  return parts.map((part, place) => <Fragment key={place}>{drawInline(part, nameOf)}</Fragment>);
}

function drawInline(part: Inline, nameOf: NameOf): ReactNode {
  switch (part.kind) {
    case 'text':
      return part.text;
    case 'break':
      return <br />;
    case 'code':
      return <code>{part.text}</code>;
    case 'mention':
      return <bdi className="mention">@{nameOf(part.userId)}</bdi>;
    case 'link':
      return (
        <a href={part.address} title={part.address} target="_blank" rel="noopener noreferrer">
          {drawInlines(part.inside, nameOf)}
        </a>
      );
    case 'strong':
      return <strong>{drawInlines(part.inside, nameOf)}</strong>;
    case 'emphasis':
      return <em>{drawInlines(part.inside, nameOf)}</em>;
    default:
      return <s>{drawInlines(part.inside, nameOf)}</s>;
  }
}
