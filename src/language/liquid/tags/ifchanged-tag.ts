import {
  type Context,
  type Emitter,
  type Liquid,
  type Parser,
  Tag,
  type TagToken,
  type Template,
  type TopLevelToken,
} from 'liquidjs';
import { TemplateOutput } from '../ruby/output.js';
import type { PerhapsBlank } from './blank-blocks.js';
import { type TagBranch, childrenOf, readBranches } from './branches.js';

const LAST_TEXT = 'ifchanged';

/** `ifchanged`: writes its content if that differs from what the last such tag of the render had. */
export class IfChangedTag extends Tag implements PerhapsBlank {
  readonly isBlank: boolean;
  readonly #templates: Template[];

  constructor(token: TagToken, tokens: TopLevelToken[], liquid: Liquid, parser: Parser) {
    super(token, tokens, liquid);
    const first: TagBranch = { templates: [] };
    const { isBlank } = readBranches(this, { tokens, parser, first, keepsWhiteSpace: true });
    this.#templates = first.templates;
    this.isBlank = isBlank;
  }

  *render(context: Context, emitter: Emitter): Generator<unknown, void, unknown> {
    const output = new TemplateOutput();
    yield this.liquid.renderer.renderTemplates(this.#templates, context, output);
    if (context.getRegister<string>(LAST_TEXT) === output.buffer) return;
    context.setRegister(LAST_TEXT, output.buffer);
    emitter.write(output.buffer);
  }

  children(): Generator<unknown, Template[]> {
    return childrenOf([{ templates: this.#templates }]);
  }
}
