import {
  type Arguments,
  type Context,
  type Emitter,
  Hash,
  type Liquid,
  type Parser,
  Tag,
  type TagToken,
  type Template,
  type TopLevelToken,
  type ValueToken,
} from 'liquidjs';
import { authorsRange } from '../markup.js';
import type { PerhapsBlank } from './blank-blocks.js';
import { type TagBranch, childrenOf, readBranches } from './branches.js';
import {
  elementsOf,
  integerSetting,
  type LoopElements,
  type LoopSource,
  stepCheck,
  elementsWithin,
} from './loop-source.js';

/** `forloop` in templates. */
interface LoopPosition {
  name: string;
  length: number;
  index: number;
  index0: number;
  rindex: number;
  rindex0: number;
  first: boolean;
  last: boolean;
  /** The loop around this one. */
  parentloop?: LoopPosition;
}

/**
 * Reads `x in list limit: 2 …`, the arguments of a loop.
 * @throws Error if the variable, `in` or the list is missing.
 */
export function readLoopSource(token: TagToken, liquid: Liquid): LoopSource {
  const { tokenizer } = token;
  const variable = tokenizer.readIdentifier().content;
  const isIn = tokenizer.readIdentifier().content === 'in';
  const collection = tokenizer.readValue();
  if (variable === '' || !isIn || collection === undefined) {
    throw new Error(`illegal tag: ${token.getText()}`);
  }
  const settings = new Hash(tokenizer, liquid.options.keyValueSeparator);
  return { variable, collection, settings };
}

/** Returns the references in the arguments of a loop, for the analysis of a template. */
export function* loopArguments({ collection, settings }: LoopSource): Arguments {
  yield collection;
  for (const value of Object.values(settings.hash)) if (value !== undefined) yield value as ValueToken;
}

const NO_ELEMENTS: LoopElements = { elements: [], isText: false };

/** `for`, with `limit`, `offset`, `reversed` and `forloop.parentloop`, as in Ruby's Liquid. */
export class ForTag extends Tag implements PerhapsBlank {
  readonly isBlank: boolean;
  readonly #source: LoopSource;
  readonly #name: string;
  readonly #branches: TagBranch[];

  constructor(token: TagToken, tokens: TopLevelToken[], liquid: Liquid, parser: Parser) {
    super(token, tokens, liquid);
    this.#source = readLoopSource(token, liquid);
    this.#name = `${this.#source.variable}-${authorsRange(this.#source.collection.getText())}`;
    const { branches, isBlank } = readBranches<TagBranch>(this, {
      tokens,
      parser,
      first: { templates: [] },
      openers: { else: () => ({ templates: [] }) },
    });
    this.#branches = branches;
    this.isBlank = isBlank;
  }

  *render(context: Context, emitter: Emitter): Generator<unknown, void, unknown> {
    const elements = (yield this.#elements(context)) as unknown[];
    const { renderer } = this.liquid;
    if (elements.length === 0) {
      yield renderer.renderTemplates(this.#branches[1]?.templates ?? [], context, emitter);
      return;
    }
    const loops = context.getRegister<LoopPosition[]>('loops', []);
    const scope = Object.create(null) as Record<string, unknown>;
    const position = startPosition(this.#name, elements.length, loops.at(-1));
    scope.forloop = position;
    const check = stepCheck(context);
    loops.push(position);
    context.push(scope);
    for (const [index, element] of elements.entries()) {
      check();
      scope[this.#source.variable] = element;
      moveTo(position, index);
      yield renderer.renderTemplates(this.#branches[0]?.templates ?? [], context, emitter);
      const isOver = context.breakCalled;
      context.breakCalled = false;
      context.continueCalled = false;
      if (isOver) break;
    }
    context.pop();
    loops.pop();
  }

  /** Returns what the loop goes through, and notes where it ended for `offset: continue`. */
  *#elements(context: Context): Generator<unknown, unknown[], unknown> {
    const all = (yield elementsOf(this.#source, context)) as LoopElements | undefined;
    const ends = context.getRegister<Map<string, number>>('loop-ends', new Map());
    const isContinued = this.#source.settings.hash.offset?.getText() === 'continue';
    const offset = isContinued
      ? (ends.get(this.#name) ?? 0)
      : (((yield integerSetting(this.#source, 'offset', context)) as number | undefined) ?? 0);
    const limit = (yield integerSetting(this.#source, 'limit', context)) as number | undefined;
    const part = elementsWithin(all ?? NO_ELEMENTS, { offset, limit });
    ends.set(this.#name, offset + part.length);
    return 'reversed' in this.#source.settings.hash ? part.toReversed() : part;
  }

  children(): Generator<unknown, Template[]> {
    return childrenOf(this.#branches);
  }

  arguments(): Arguments {
    return loopArguments(this.#source);
  }

  blockScope(): Iterable<string> {
    return [this.#source.variable, 'forloop'];
  }
}

function startPosition(name: string, length: number, parentloop: LoopPosition | undefined): LoopPosition {
  const position = { name, length, index: 0, index0: 0, rindex: 0, rindex0: 0, first: false, last: false };
  return parentloop === undefined ? position : { ...position, parentloop };
}

function moveTo(position: LoopPosition, index: number): void {
  position.index = index + 1;
  position.index0 = index;
  position.rindex = position.length - index;
  position.rindex0 = position.length - index - 1;
  position.first = index === 0;
  position.last = index === position.length - 1;
}
