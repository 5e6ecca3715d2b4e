import type { Limit } from './limit.js';

/** Returns the whole body as a text. @throws as `Limit.wait`, or the error of a connection that breaks. */
export async function textOf(response: Response, limit: Limit): Promise<string> {
  const parts: string[] = [];
  for await (const part of partsOf(response, limit)) parts.push(part);
  return parts.join('');
}

/** Yields a body as texts, as they come. The rest is not asked for when nobody reads on. @throws as `textOf`. */
export async function* partsOf({ body }: Response, limit: Limit): AsyncGenerator<string, void, undefined> {
  if (body === null) return;
  const decoder = new TextDecoder();
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await limit.wait(reader.read());
      yield decoder.decode(value, { stream: !done });
      if (done) return;
    }
  } finally {
    // A stream that broke is closed already, and its error was thrown above.
    void reader.cancel().catch(() => undefined);
  }
}
