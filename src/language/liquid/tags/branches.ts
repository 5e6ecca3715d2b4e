import type { Parser, Tag, TagToken, Template, TopLevelToken } from 'liquidjs';
import { dropBlankTexts, isBlank } from './blank-blocks.js';

/** A part of a block with what it needs to be chosen: `{% elsif … %}`, `{% when … %}`, `{% else %}`. */
export interface TagBranch {
  templates: Template[];
}

/** How a block is read. */
interface BlockSyntax<B extends TagBranch> {
  tokens: TopLevelToken[];
  parser: Parser;
  /** The branch that the opening tag begins. */
  first: B;
  /** Tags that begin another branch, by name. */
  openers?: Record<string, (token: TagToken) => B>;
  /** True if a blank block writes its white space all the same. */
  keepsWhiteSpace?: boolean;
}

/**
 * Reads the branches of a block up to its end tag (`endif` for `if`). What stands behind the name in the end tag is
 * ignored, as in Ruby's Liquid.
 * @throws Error if the block is not closed.
 */
export function readBranches<B extends TagBranch>(tag: Tag, syntax: BlockSyntax<B>): ReadBlock<B> {
  const branches = [syntax.first];
  const stream = syntax.parser.parseStream(syntax.tokens);
  for (const [name, open] of Object.entries(syntax.openers ?? {})) {
    stream.on(`tag:${name}`, (token: TagToken) => {
      branches.push(open(token));
    });
  }
  stream
    .on(`tag:end${tag.name}`, () => {
      stream.stop();
    })
    .on('template', (template: Template) => branches.at(-1)?.templates.push(template))
    .on('end', () => {
      throw new Error(`tag ${tag.token.getText()} not closed`);
    })
    .start();
  const isAllBlank = branches.every(({ templates }) => isBlank(templates));
  if (isAllBlank && syntax.keepsWhiteSpace !== true) dropBlankTexts(branches);
  return { branches, isBlank: isAllBlank };
}

interface ReadBlock<B> {
  branches: B[];
  /** True if no branch ever writes anything. */
  isBlank: boolean;
}

/** Returns the templates inside a block, for the analysis of a template. */
export function* childrenOf(branches: readonly TagBranch[]): Generator<unknown, Template[]> {
  const templates = branches.flatMap((branch) => branch.templates);
  return (yield templates) as Template[];
}
