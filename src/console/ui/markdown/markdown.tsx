import './markdown.css';
import { memo, useMemo, useState } from 'react';
import { Button } from '../form/button.js';
import { drawMarkdown, type NameOf } from './draw-markdown.js';
import { markdownTree } from './markdown-tree.js';

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
