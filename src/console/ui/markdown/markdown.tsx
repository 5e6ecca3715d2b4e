import './markdown.css';
import { createElement, Fragment, memo, type ReactNode, useMemo, useState } from 'react';
import { Button } from '../form/button.js';
import { type MarkdownPart, markdownTree, withBox } from './markdown-tree.js';

/** How the API writes that a user is mentioned. */
const MENTION = /<@user-(\d{1,15})>/;
/** Elements that a part may become as it is. */
const PLAIN = new Set('p ul li blockquote strong em s code table thead tbody tr th td'.split(' '));

/** Returns the name of a mentioned user. */
type NameOf = (userId: number) => string;

/** A text of more characters or lines is folded. */
const FOLDED = { characters: 3_000, lines: 40 };

interface MarkdownProps {
  text: string;
  nameOf: NameOf;
}

/** A Markdown text as elements of the page, never as HTML: tags in it stay text, and links lead to safe addresses. */
export const Markdown = memo(function Markdown({ text, nameOf }: MarkdownProps) {
  const beginning = beginningOf(text);
  const isLong = beginning.length < text.length;
  const [isOpen, setOpen] = useState(false);
  const shown = isOpen ? text : beginning;
  const parts = useMemo(() => markdownTree(shown), [shown]);
  return (
    <div className="markdown">
      <div className={isLong && !isOpen ? 'markdown-folded' : ''}>{drawMarkdown(parts, nameOf)}</div>
      {isLong && (
        <Button look="quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Show less' : 'Show all'}
        </Button>
      )}
    </div>
  );
});

/** The part of a folded text that is in sight, and some more. */
function beginningOf(text: string): string {
  const some = text.slice(0, FOLDED.characters).split('\n');
  return some.length <= FOLDED.lines && text.length <= FOLDED.characters
    ? text
    : some.slice(0, FOLDED.lines).join('\n');
}

/** Returns the elements of a Markdown text. It fetches no picture, and its links lead to safe addresses. */
function drawMarkdown(parts: readonly MarkdownPart[], nameOf: NameOf, inEntry = false): ReactNode {
  // A text does not change in place, so the place of a part tells it from the others.
  return parts.map((part, place) => {
    const { tag, text, address, start, children } = part;
    const inside = drawMarkdown(children, nameOf, tag === 'li' || (inEntry && tag === ''));
    const key = `${place}`;
    if (tag === 'br' || tag === 'hr') return createElement(tag, { key });
    if (tag === 'pre') {
      return (
        <pre key={key} className="markdown-code">
          {text}
        </pre>
      );
    }
    if (/^h\d$/.test(tag)) {
      return (
        <p key={key} className="markdown-heading">
          {inside}
        </p>
      );
    }
    if (tag === 'a' && address !== undefined) {
      return (
        <a key={key} href={address} title={address} target="_blank" rel="noopener noreferrer">
          {inside}
        </a>
      );
    }
    const own =
      children.length > 0 ? inside : drawText(inEntry && place === 0 ? withBox(text) : text, nameOf);
    if (tag === 'ol') return createElement(tag, { key, start }, own);
    return createElement(PLAIN.has(tag) ? tag : Fragment, { key }, own);
  });
}

/** A text with the names of those whom it mentions. */
function drawText(text: string, nameOf: NameOf): ReactNode {
  const pieces = text.split(MENTION);
  if (pieces.length === 1) return text;
  // Each second piece is the id of a user.
  return pieces.map((piece, place) =>
    place % 2 === 0 ? (
      piece
    ) : (
      <bdi key={`${place}-${piece}`} className="mention">
        @{nameOf(Number(piece))}
      </bdi>
    ),
  );
}
