import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** The URL of a store is not usable; `message` names the option, and contains no secret. */
export class AddressError extends Error {}

/** The options of a URL: its query. */
export type AddressOptions = ReturnType<typeof readAddressOptions>;

const YES = new Set(['true', '1', 'yes', 'on']);
const NO = new Set(['false', '0', 'no', 'off']);

/**
 * Reads the options of a URL. Names ignore case, `-`, `_` and `.`: `ssl-mode`, `sslmode` and `SSL_MODE` are the same.
 * Each option is removed when it is read; `refuseRest` reports one that was never read.
 */
export function readAddressOptions(url: URL) {
  const given = new Map<string, { name: string; value: string }>();
  for (const [name, value] of url.searchParams) {
    const key = plain(name);
    if (given.has(key)) throw new AddressError(`has the option "${name}" twice`);
    given.set(key, { name, value });
  }
  const take = (...keys: string[]): { name: string; value: string } | undefined => {
    const found = keys.flatMap((key) => given.get(key) ?? []);
    for (const key of keys) given.delete(key);
    const [first, second] = found;
    if (second !== undefined) {
      throw new AddressError(`has "${first?.name}" and "${second.name}": give one of them`);
    }
    return first;
  };
  return {
    /** Returns the text of the first of these names that is given. */
    text: (...keys: string[]): string | undefined => take(...keys)?.value,
    /** Returns the meaning of a value that must be one of `words`. */
    word<Meaning>(keys: string[], words: Readonly<Record<string, Meaning>>): Meaning | undefined {
      const option = take(...keys);
      if (option === undefined) return undefined;
      const meaning = words[plain(option.value)];
      if (meaning !== undefined) return meaning;
      const known = Object.keys(words).join(', ');
      throw new AddressError(`has "${option.name}" with a value that is not supported; known: ${known}`);
    },
    /** Returns a yes or a no as a boolean. */
    flag(...keys: string[]): boolean | undefined {
      const option = take(...keys);
      if (option === undefined) return undefined;
      const value = option.value.toLowerCase();
      if (YES.has(value)) return true;
      if (NO.has(value)) return false;
      throw new AddressError(`has "${option.name}", which must be true or false`);
    },
    /** Returns the text of the named file. */
    file(...keys: string[]): string | undefined {
      const option = take(...keys);
      return option === undefined ? undefined : readPem(option.value, `"${option.name}"`);
    },
    /** @throws AddressError that names an option which was not read. */
    refuseRest(known: string): void {
      const [left] = given.values();
      if (left !== undefined)
        throw new AddressError(`has the option "${left.name}", which is not supported; supported: ${known}`);
    },
  };
}

/** Returns a certificate or key, given as its text or as the path of a file. `what` names it in messages. */
export function readPem(textOrPath: string, what: string): string {
  if (textOrPath.includes('-----BEGIN ')) return textOrPath.replaceAll('\\n', '\n');
  const file = path.resolve(textOrPath);
  if (!existsSync(file)) throw new AddressError(`${what}: there is no file ${file}`);
  return readFileSync(file, 'utf8');
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[-_.\s]/g, '');
}
