import MarkdownIt, { type Token } from 'markdown-it';
import { safeAddress } from './safe-address.js';

/** A part of a Markdown text. */
export interface MarkdownPart {
  /** The element that stands for it; empty for a text. */
  tag: string;
  text: string;
  /** The safe address of a link. */
  address?: string;
  /** The first number of a list. */
  start?: number;
  children: MarkdownPart[];
}

/** Tags in the text stay text; what is nested deeper than a hundred times is left out. */
const reader = new MarkdownIt({ html: false, linkify: true, breaks: true });
reader.validateLink = (address) => safeAddress(address) !== undefined;

const BOX = /^\[([ xX])\]\s/;

/** Returns the parts of a Markdown text. */
export function markdownTree(text: string): MarkdownPart[] {
  return treeOf(reader.parse(text, {}));
}

function treeOf(tokens: readonly Token[]): MarkdownPart[] {
  const root: MarkdownPart = { tag: '', text: '', children: [] };
  const open = [root];
  for (const token of tokens) {
    const parent = open.at(-1) ?? root;
    if (token.nesting === -1) {
      open.pop();
    } else if (token.type === 'inline') {
      parent.children.push(...treeOf(token.children ?? []));
    } else {
      const part = partOf(token);
      parent.children.push(part);
      if (token.nesting === 1) open.push(part);
    }
  }
  return root.children;
}

function partOf(token: Token): MarkdownPart {
  const { type, tag, content, hidden } = token;
  const block = type === 'fence' || type === 'code_block';
  const part: MarkdownPart = { tag: block ? 'pre' : hidden ? '' : tag, text: content, children: [] };
  const address = safeAddress(String(token.attrGet('href') ?? ''));
  if (address !== undefined) part.address = address;
  const start = token.attrGet('start');
  if (start !== null) part.start = Number(start);
  return part;
}

/** Returns the text of an entry of a list with a drawn box in place of `[x]`. */
export function withBox(text: string): string {
  return text.replace(BOX, (_whole, mark: string) => (mark === ' ' ? '☐ ' : '☑ '));
}
