import { type Liquid, Tag, type TagToken, type TopLevelToken, TypeGuards } from 'liquidjs';
import type { PerhapsBlank } from './blank-blocks.js';

/** `comment` and `doc`: their content is not parsed; comments inside a comment are closed on their own. */
export class CommentTag extends Tag implements PerhapsBlank {
  readonly isBlank = true;

  constructor(token: TagToken, tokens: TopLevelToken[], liquid: Liquid) {
    super(token, tokens, liquid);
    tokens.splice(0, contentLength(token, tokens));
  }

  render(): void {
    // Writes nothing.
  }
}

/** Returns the number of tokens up to the end tag, inclusive. */
function contentLength(opening: TagToken, tokens: readonly TopLevelToken[]): number {
  let depth = 1;
  const end = tokens.findIndex((token) => {
    if (!TypeGuards.isTagToken(token)) return false;
    if (token.name === opening.name) depth += 1;
    if (token.name === `end${opening.name}`) depth -= 1;
    return depth === 0;
  });
  if (end === -1) throw new Error(`tag ${opening.getText()} not closed`);
  return end + 1;
}

/** `raw`: writes its content as it stands. */
export class VerbatimTag extends Tag implements PerhapsBlank {
  readonly isBlank: boolean;
  readonly #text: string;

  constructor(token: TagToken, tokens: TopLevelToken[], liquid: Liquid) {
    super(token, tokens, liquid);
    const content = tokens.splice(0, contentLength(token, tokens)).slice(0, -1);
    this.#text = content.map((part) => part.getText()).join('');
    this.isBlank = this.#text === '';
  }

  render(): string {
    return this.#text;
  }
}
