import { EventEmitter, once } from 'node:events';
import path from 'node:path';
import { eventually } from '../support/eventually.js';
import { startOtlpSink } from '../support/otlp-sink.js';
import { startProcess } from '../support/processes.js';

const FLOOD = path.join(__dirname, '../support/span-flood.cjs');
/** One batch is under way, and 8,192 spans wait. */
const KEPT = 512 + 8_192;

test('while a collector hangs a bounded number of spans waits, and later ones arrive when it answers', async () => {
  const gate = new EventEmitter();
  const sink = await startOtlpSink(once(gate, 'open'));
  // A process of its own: the exporter loads its client in a way that tests in a sandbox cannot follow.
  const flood = startProcess(FLOOD, { COLLECTOR: `${sink.url}/v1/traces` });
  try {
    await flood.said('20000 spans are made');
    await eventually(() => sink.spans.length > 0, 60_000);
    expect(sink.spans).toHaveLength(512);
    gate.emit('open');
    await eventually(() => sink.spans.length >= KEPT, 120_000);
    expect(await flood.stop('SIGTERM')).toBe(0);
    expect(sink.spans).toHaveLength(KEPT + 1);
  } finally {
    await flood.stop('SIGKILL');
    await sink.close();
  }
});
