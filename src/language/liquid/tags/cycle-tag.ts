import {
  type Arguments,
  type Context,
  type Emitter,
  evalToken,
  type Liquid,
  Tag,
  type TagToken,
  type TopLevelToken,
  Value,
  type ValueToken,
} from 'liquidjs';
import { textOf } from '../../values/values.js';

/**
 * `cycle "a", "b"`: the next of its values at each use. Tags with the same name (`cycle name: …`), or without one
 * with the same values, share their place in the list.
 */
export class CycleTag extends Tag {
  readonly #name: ValueToken | undefined;
  readonly #values: Value[] = [];
  readonly #texts: string[] = [];

  constructor(token: TagToken, tokens: TopLevelToken[], liquid: Liquid) {
    super(token, tokens, liquid);
    this.#name = this.#readName();
    while (!this.tokenizer.end()) {
      const value = this.tokenizer.readFilteredValue();
      this.#values.push(new Value(value, liquid));
      this.#texts.push(value.getText().trim());
      this.tokenizer.readTo(',');
      this.tokenizer.skipBlank();
    }
    if (this.#values.length === 0) throw new Error(`tag ${token.getText()} has no values`);
  }

  #readName(): ValueToken | undefined {
    const begin = this.tokenizer.p;
    const name = this.tokenizer.readValue();
    this.tokenizer.skipBlank();
    if (this.tokenizer.peek() === ':') {
      this.tokenizer.advance();
      return name;
    }
    this.tokenizer.p = begin;
    return undefined;
  }

  *render(context: Context, emitter: Emitter): Generator<unknown, void, unknown> {
    const places = context.getRegister<Map<string, number>>('cycle', new Map());
    const key =
      this.#name === undefined
        ? JSON.stringify(this.#texts)
        : `name ${textOf(yield evalToken(this.#name, context))}`;
    const place = places.get(key) ?? 0;
    places.set(key, place + 1 < this.#values.length ? place + 1 : 0);
    const value = this.#values[place];
    if (value !== undefined) emitter.write(yield value.value(context, true));
  }

  *arguments(): Arguments {
    yield* this.#values;
    if (this.#name !== undefined) yield this.#name;
  }
}
