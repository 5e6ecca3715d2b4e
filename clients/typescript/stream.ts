import { partsOf } from './body.js';
import type { Limit } from './limit.js';

/** Yields the events of a stream until it ends; `named` gives the error of a connection that breaks. */
export async function* eventsOf(
  response: Response,
  limit: Limit,
  named: (error: unknown) => unknown,
): AsyncGenerator<unknown, void, undefined> {
  let text = '';
  const parts = partsOf(response, limit);
  try {
    for (;;) {
      const { done, value } = await parts.next().catch((error: unknown) => {
        throw named(error);
      });
      if (done) return;
      const blocks = (text + value).split('\n\n');
      text = blocks.pop() ?? '';
      yield* blocks.map(eventIn).filter((event) => event !== undefined);
    }
  } finally {
    await parts.return();
    limit.end();
  }
}

/** Returns undefined for a comment. */
function eventIn(text: string): unknown {
  const fields = new Map(
    text.split('\n').map((line): [string, string] => {
      const [name = '', ...value] = line.split(': ');
      return [name, value.join(': ')];
    }),
  );
  const data = fields.get('data');
  if (data === undefined) return undefined;
  return { id: fields.get('id') ?? null, event: fields.get('event'), data: JSON.parse(data) };
}
