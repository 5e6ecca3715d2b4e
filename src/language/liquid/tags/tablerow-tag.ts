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
} from 'liquidjs';
import type { PerhapsBlank } from './blank-blocks.js';
import { type TagBranch, childrenOf, readBranches } from './branches.js';
import { loopArguments, readLoopSource } from './for-tag.js';
import { numberOf } from '../../values/values.js';
import {
  elementsOf,
  type LoopElements,
  type LoopSource,
  settingOf,
  stepCheck,
  elementsWithin,
} from './loop-source.js';

/** `tablerow`: the rows of an HTML table, one cell for each element; `cols` cells in a row. */
export class TableRowTag extends Tag implements PerhapsBlank {
  readonly #source: LoopSource;
  readonly isBlank: boolean;
  readonly #templates: Template[];

  constructor(token: TagToken, tokens: TopLevelToken[], liquid: Liquid, parser: Parser) {
    super(token, tokens, liquid);
    this.#source = readLoopSource(token, liquid);
    const first: TagBranch = { templates: [] };
    const { isBlank } = readBranches(this, { tokens, parser, first, keepsWhiteSpace: true });
    this.#templates = first.templates;
    this.isBlank = isBlank;
  }

  *render(context: Context, emitter: Emitter): Generator<unknown, void, unknown> {
    const all = (yield elementsOf(this.#source, context)) as LoopElements | undefined;
    if (all === undefined) return;
    const offset = ((yield this.#setting('offset', context)) as number | undefined) ?? 0;
    const limit = (yield this.#setting('limit', context)) as number | undefined;
    const columns = ((yield this.#setting('cols', context)) as number | undefined) ?? 0;
    const elements = elementsWithin(all, { offset, limit });
    const scope = Object.create(null) as Record<string, unknown>;
    const check = stepCheck(context);
    emitter.write('<tr class="row1">\n');
    context.push(scope);
    for (const [index, element] of elements.entries()) {
      check();
      const cell = cellAt(index, elements.length, columns);
      scope[this.#source.variable] = element;
      scope.tablerowloop = cell;
      emitter.write(`<td class="col${cell.col}">`);
      yield this.liquid.renderer.renderTemplates(this.#templates, context, emitter);
      emitter.write('</td>');
      const isOver = context.breakCalled;
      context.breakCalled = false;
      context.continueCalled = false;
      if (isOver) break;
      if (cell.col_last && !cell.last) emitter.write(`</tr>\n<tr class="row${cell.row + 1}">`);
    }
    context.pop();
    emitter.write('</tr>\n');
  }

  /** Returns a whole number, 0 for what is none, undefined if the setting is not written. */
  *#setting(name: string, context: Context): Generator<unknown, number | undefined> {
    const value: unknown = yield settingOf(this.#source, name, context);
    return value === undefined ? undefined : Math.trunc(numberOf(value));
  }

  children(): Generator<unknown, Template[]> {
    return childrenOf([{ templates: this.#templates }]);
  }

  arguments(): Arguments {
    return loopArguments(this.#source);
  }

  blockScope(): Iterable<string> {
    return [this.#source.variable, 'tablerowloop'];
  }
}

/** `tablerowloop` in templates; without `cols` all cells are in one row. */
function cellAt(index: number, length: number, columns: number) {
  const width = columns > 0 ? columns : length;
  const col0 = index % width;
  return {
    length,
    index: index + 1,
    index0: index,
    rindex: length - index,
    rindex0: length - index - 1,
    first: index === 0,
    last: index === length - 1,
    row: Math.floor(index / width) + 1,
    col: col0 + 1,
    col0,
    col_first: col0 === 0,
    col_last: col0 === width - 1,
  };
}
