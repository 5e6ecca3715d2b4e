import { slugOf } from '../../platform/text/slug.js';

/** Looks a name up in every form that templates may use (see language/named-values.ts); calls `onMissing` for others. */
export class LookupMap<Value> extends Map<string, Value> {
  readonly #onMissing: (name: string) => Value | undefined;

  constructor(values: ReadonlyMap<string, Value>, onMissing: (name: string) => Value | undefined) {
    super(values);
    this.#onMissing = onMissing;
  }

  override get(name: string): Value | undefined {
    const plain = name.replace(/^(["'])(.*)\1$/s, '$2');
    for (const form of [name, plain, slugOf(name)]) if (this.has(form)) return super.get(form);
    return this.#onMissing(plain);
  }
}
