import { XmlError } from './xml-error.js';

const MAX_CHARACTERS = 100_000;
const MAX_REFERENCES = 10_000;
const MAX_DEPTH = 50;

/** Counts what the entities of one document stand for, so that a short document cannot become a long one. */
export class Expansions {
  readonly #open = new Set<string>();
  #characters = 0;
  #references = 0;

  /**
   * Runs `use` with the text of an entity.
   * @throws XmlError if the entity contains itself, or the entities of the document stand for too much.
   */
  during<T>(name: string, text: string, use: (text: string) => T): T {
    this.#characters += text.length;
    this.#references += 1;
    if (this.#characters > MAX_CHARACTERS) {
      throw new XmlError(`the expansion of its entities exceeded ${MAX_CHARACTERS} characters`);
    }
    if (this.#references > MAX_REFERENCES) {
      throw new XmlError(`the expansion of its entities exceeded ${MAX_REFERENCES} references`);
    }
    if (this.#open.has(name)) throw new XmlError('not well-formed, an entity contains itself');
    if (this.#open.size >= MAX_DEPTH)
      throw new XmlError(`entities in entities, deeper than ${MAX_DEPTH} levels`);
    this.#open.add(name);
    const result = use(text);
    this.#open.delete(name);
    return result;
  }
}
