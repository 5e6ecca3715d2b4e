import { slugOf } from '../../platform/text/slug.js';

/** Looks a name up in every form that templates may use (see language/named-values.ts); calls `inVain` for others. */
export class AskedMap<Value> extends Map<string, Value> {
  readonly #inVain: (name: string) => Value | undefined;

  constructor(values: ReadonlyMap<string, Value>, inVain: (name: string) => Value | undefined) {
    super(values);
    this.#inVain = inVain;
  }

  override get(name: string): Value | undefined {
    const plain = name.replace(/^(["'])(.*)\1$/s, '$2');
    for (const form of [name, plain, slugOf(name)]) if (this.has(form)) return super.get(form);
    return this.#inVain(plain);
  }
}
