import {
  type Arguments,
  type Context,
  type Emitter,
  type Liquid,
  type Parser,
  Tag,
  type TagToken,
  type Template,
  type TopLevelToken,
  Value,
} from 'liquidjs';
import { MAX_OUTPUT_CHARACTERS } from '../../limits.js';
import { compilePattern, type PatternMatch } from '../../patterns.js';
import { callWithSecrets } from '../../secrets/secret-calls.js';
import { TemplateError } from '../../../platform/text/template-error.js';
import { textOf } from '../../values/values.js';
import { TemplateOutput, untyped } from '../ruby/output.js';
import { scopeOf } from '../render-scope.js';
import { type TagBranch, childrenOf, readBranches } from './branches.js';

const SYNTAX = /^(.+?)\s+in\s*$/s;

/**
 * `{% regex_replace "(\w+)" in %}text{% with %}<{{ match[1] }}>{% endregex_replace %}`, as in Huginn: each match is replaced
 * by what stands behind `with`, which sees `match`, the list of the match and its groups, and named groups by their names.
 * `regex_replace_first` replaces the first match alone.
 */
export class RegexReplaceTag extends Tag {
  readonly #pattern: Value;
  readonly #branches: TagBranch[];

  constructor(token: TagToken, tokens: TopLevelToken[], liquid: Liquid, parser: Parser) {
    super(token, tokens, liquid);
    const [, pattern] = SYNTAX.exec(token.args.trim()) ?? [];
    if (pattern === undefined) throw new Error(`${token.name} needs a pattern and "in"`);
    this.#pattern = new Value(pattern, liquid);
    const first: TagBranch = { templates: [] };
    const openers = { with: (): TagBranch => ({ templates: [] }) };
    this.#branches = readBranches(this, { tokens, parser, first, openers, keepsWhiteSpace: true }).branches;
  }

  *render(context: Context, emitter: Emitter): Generator<unknown, void, unknown> {
    const pattern = compilePattern(textOf(untyped(yield this.#pattern.value(context, true))));
    const [inside, by] = this.#branches;
    const text = readable(yield* this.#textOf(inside, context), context);
    const check = () => context.renderLimit.check(performance.now());
    const parts: string[] = [];
    let at = 0;
    let length = 0;
    for (const match of pattern.matches(text, check)) {
      context.push(variablesOf(match));
      const replacement = yield* this.#textOf(by, context);
      context.pop();
      parts.push(text.slice(at, match.start), replacement);
      at = match.start + match.text.length;
      length += replacement.length;
      if (length > MAX_OUTPUT_CHARACTERS) throw new TemplateError('the result is too long');
      if (this.name === 'regex_replace_first') break;
    }
    emitter.write(parts.join('') + text.slice(at));
  }

  *#textOf(branch: TagBranch | undefined, context: Context): Generator<unknown, string, unknown> {
    const output = new TemplateOutput();
    if (branch !== undefined) yield this.liquid.renderer.renderTemplates(branch.templates, context, output);
    return output.buffer;
  }

  *arguments(): Arguments {
    yield this.#pattern;
  }

  children(): Generator<unknown, Template[]> {
    return childrenOf(this.#branches);
  }
}

/** Secrets in the text are seen as their markers. */
function readable(text: string, context: Context): string {
  const { secrets } = scopeOf(context);
  if (secrets === undefined) return text;
  const seen = callWithSecrets({
    name: 'regex_replace_block',
    values: [text],
    secrets,
    run: ([given]) => given,
  });
  return textOf(seen);
}

function variablesOf({ text, groups, named }: PatternMatch): Record<string, unknown> {
  return Object.assign(Object.create(null) as object, named, { match: [text, ...groups] });
}
