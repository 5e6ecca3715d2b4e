/** The server sends something every 15 seconds. */
const SILENT_MS = 45_000;

/** Ends a request when nothing has come for a while. */
export interface Silence {
  signal: AbortSignal;
  /** Something has come. */
  heard(): void;
  end(): void;
}

/** Returns the watch over a stream; it begins at once. */
export function watchSilence(): Silence {
  const controller = new AbortController();
  const abort = () => controller.abort(new Error('The stream is silent'));
  let timer = setTimeout(abort, SILENT_MS);
  const end = () => clearTimeout(timer);
  const heard = () => {
    end();
    timer = setTimeout(abort, SILENT_MS);
  };
  return { signal: controller.signal, heard, end };
}

/** Yields the events of a stream until it ends; `named` gives the error of a connection that breaks. */
export async function* eventsOf(
  { body }: Response,
  silence: Silence,
  named: (error: unknown) => unknown,
): AsyncGenerator<unknown, void, undefined> {
  const decoder = new TextDecoder();
  const reader = body?.getReader();
  let text = '';
  try {
    for (;;) {
      const chunk = await reader?.read().catch((error: unknown) => {
        throw named(error);
      });
      if (chunk === undefined || chunk.done) return;
      silence.heard();
      const parts = (text + decoder.decode(chunk.value, { stream: true })).split('\n\n');
      text = parts.pop() ?? '';
      yield* parts.map(eventIn).filter((event) => event !== undefined);
    }
  } finally {
    silence.end();
    // A stream that broke is closed already, and its error is told.
    await reader?.cancel().catch(() => undefined);
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
