import { safeAddress } from './safe-address.js';

/** A part of a line of Markdown. */
export type Inline =
  | { kind: 'text'; text: string }
  | { kind: 'code'; text: string }
  | { kind: 'break' }
  | { kind: 'mention'; userId: number }
  | { kind: 'link'; address: string; inside: Inline[] }
  | { kind: 'strong' | 'emphasis' | 'struck'; inside: Inline[] };

/** Marks inside marks are read this deep; deeper ones are text. */
const DEEPEST = 4;

/** Each alternative stops at its own closing mark, so the time grows with the text alone. */
const PARTS =
  /\\([\\`*_[\]()#+\-.!~<>])|`([^`\n]+)`|<@user-(\d{1,15})>|\[([^\]\n]{1,300})\]\(([^()\s]{1,2000})\)|<(https?:\/\/[^\s<>"]{1,2000})>|(https?:\/\/[^\s<>"]{1,2000})|\*\*([^*\n]+)\*\*|\*([^*\s][^*\n]*)\*|~~([^~\n]+)~~|(?<!\w)__([^_\n]+)__(?!\w)|(?<!\w)_([^_\n]+)_(?!\w)|\n/g;
/** A sentence goes on after an address that ends with these. */
const AFTER_ADDRESS = ".,;:!?)]'*_~";

/** Returns the parts of a text. A link that leads to no safe address stays the text that it is. */
export function inlinesIn(text: string, depth = 0): Inline[] {
  const parts: Inline[] = [];
  let from = 0;
  const addText = (until: number) => {
    if (until > from) parts.push({ kind: 'text', text: text.slice(from, until) });
  };
  for (const match of text.matchAll(PARTS)) {
    const part = partOf(match, depth);
    if (part === undefined) continue;
    addText(match.index);
    parts.push(part);
    const rest = match[7] === undefined ? 0 : match[7].length - endOfAddress(match[7]);
    from = match.index + match[0].length - rest;
  }
  addText(text.length);
  return parts;
}

function partOf(match: RegExpExecArray, depth: number): Inline | undefined {
  const [whole, plain, code, user, label, target, framed, bare, strong, star, struck, strongLine, line] =
    match;
  if (whole === '\n') return { kind: 'break' };
  if (plain !== undefined) return { kind: 'text', text: plain };
  if (code !== undefined) return { kind: 'code', text: code };
  if (user !== undefined) return { kind: 'mention', userId: Number(user) };
  if (framed !== undefined) return linkTo(framed, [{ kind: 'text', text: framed }]);
  if (bare !== undefined) {
    const address = bare.slice(0, endOfAddress(bare));
    return linkTo(address, [{ kind: 'text', text: address }]);
  }
  const inside = (text: string): Inline[] =>
    depth < DEEPEST ? inlinesIn(text, depth + 1) : [{ kind: 'text', text }];
  if (label !== undefined) return linkTo(target ?? '', withoutLinks(inside(label)));
  const bold = strong ?? strongLine;
  if (bold !== undefined) return { kind: 'strong', inside: inside(bold) };
  if (struck !== undefined) return { kind: 'struck', inside: inside(struck) };
  return { kind: 'emphasis', inside: inside(star ?? line ?? '') };
}

function linkTo(target: string, inside: Inline[]): Inline | undefined {
  const address = safeAddress(target);
  return address === undefined ? undefined : { kind: 'link', address, inside };
}

/** A link in a link would lead elsewhere than the other one. */
function withoutLinks(parts: readonly Inline[]): Inline[] {
  return parts.flatMap((part) => {
    if (!('inside' in part)) return [part];
    const inside = withoutLinks(part.inside);
    return part.kind === 'link' ? inside : [{ ...part, inside }];
  });
}

function endOfAddress(text: string): number {
  let end = text.length;
  while (end > 0 && AFTER_ADDRESS.includes(text.charAt(end - 1))) end -= 1;
  return end;
}
