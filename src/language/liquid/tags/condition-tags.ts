import {
  type Arguments,
  type Context,
  type Emitter,
  evalToken,
  isTruthy,
  type Liquid,
  type Parser,
  Tag,
  type TagToken,
  type Template,
  type TopLevelToken,
  toValue,
  Value,
  type ValueToken,
} from 'liquidjs';
import { equals } from '../ruby/equality.js';
import type { PerhapsBlank } from './blank-blocks.js';
import { type TagBranch, childrenOf, readBranches } from './branches.js';

/** A branch with its condition; without one it is always chosen. */
interface ConditionBranch extends TagBranch {
  value?: Value;
}

/**
 * `if`, and `unless` with the first condition negated. As in Ruby's Liquid, what stands behind `else` is ignored, and
 * so are the branches after it.
 */
export class IfTag extends Tag implements PerhapsBlank {
  readonly isBlank: boolean;
  readonly #branches: ConditionBranch[];

  constructor(token: TagToken, tokens: TopLevelToken[], liquid: Liquid, parser: Parser) {
    super(token, tokens, liquid);
    const branch = (from: TagToken) => ({
      value: new Value(from.tokenizer.readFilteredValue(), liquid),
      templates: [],
    });
    const openers = { elsif: branch, else: () => ({ templates: [] }) };
    const { branches, isBlank } = readBranches<ConditionBranch>(this, {
      tokens,
      parser,
      first: branch(token),
      openers,
    });
    this.#branches = branches;
    this.isBlank = isBlank;
  }

  *render(context: Context, emitter: Emitter): Generator<unknown, void, unknown> {
    for (const [index, { value, templates }] of this.#branches.entries()) {
      const found: unknown = value === undefined ? true : toValue(yield value.value(context, true));
      const isNegated = index === 0 && this.name === 'unless';
      if (isTruthy(found, context) === isNegated) continue;
      yield this.liquid.renderer.renderTemplates(templates, context, emitter);
      return;
    }
  }

  children(): Generator<unknown, Template[]> {
    return childrenOf(this.#branches);
  }

  *arguments(): Arguments {
    for (const { value } of this.#branches) if (value !== undefined) yield value;
  }
}

/** A branch with the values it stands for; without any it is the `else`. */
interface WhenBranch extends TagBranch {
  values?: ValueToken[];
}

/**
 * `case`: shows the branch of each equal value, and an `else` if no branch before it was shown, as in Ruby's Liquid.
 * Compares as our `==` does.
 */
export class LiquidCaseTag extends Tag implements PerhapsBlank {
  readonly isBlank: boolean;
  readonly #value: Value;
  readonly #branches: WhenBranch[];

  constructor(token: TagToken, tokens: TopLevelToken[], liquid: Liquid, parser: Parser) {
    super(token, tokens, liquid);
    this.#value = new Value(this.tokenizer.readFilteredValue(), liquid);
    const openers = {
      when: (when: TagToken) => ({ values: whenValues(when), templates: [] }),
      else: () => ({ templates: [] }),
    };
    const { branches, isBlank } = readBranches<WhenBranch>(this, {
      tokens,
      parser,
      // Content before the first `when` is ignored.
      first: { values: [], templates: [] },
      openers,
    });
    this.#branches = branches;
    this.isBlank = isBlank;
  }

  *render(context: Context, emitter: Emitter): Generator<unknown, void, unknown> {
    const { renderer } = this.liquid;
    const sought: unknown = toValue(yield this.#value.value(context, true));
    let isFound = false;
    for (const { values, templates } of this.#branches) {
      if (values === undefined && !isFound) yield renderer.renderTemplates(templates, context, emitter);
      for (const token of values ?? []) {
        if (!(yield equals(sought, yield evalToken(token, context, true), context))) continue;
        isFound = true;
        yield renderer.renderTemplates(templates, context, emitter);
      }
    }
  }

  children(): Generator<unknown, Template[]> {
    return childrenOf(this.#branches);
  }

  *arguments(): Arguments {
    yield this.#value;
    for (const { values } of this.#branches) if (values !== undefined) yield* values;
  }
}

/** Reads `1, 2 or 3`; what follows a value without a comma or `or` is ignored. */
function whenValues({ tokenizer }: TagToken): ValueToken[] {
  const values: ValueToken[] = [];
  do {
    values.push(tokenizer.readValueOrThrow());
    tokenizer.skipBlank();
    if (tokenizer.readTo(tokenizer.peek() === ',' ? ',' : 'or') === -1) break;
    tokenizer.skipBlank();
  } while (!tokenizer.end());
  return values;
}
