import type { Writable } from 'node:stream';
import { visibleLines } from '../../platform/visible-text.js';

/**
 * Returns the stream as THE way of the command line to a terminal: names, errors and addresses come from strangers, so no
 * control character but the line end and the tab reaches it, as text or in JSON.
 */
export function createPrinter<Stream extends Writable>(stream: Stream): Stream {
  const write = (chunk: Buffer | string, ...rest: never[]) =>
    stream.write(visibleLines(String(chunk)), ...rest);
  return new Proxy(stream, {
    get(target, name) {
      if (name === 'write') return write;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}
