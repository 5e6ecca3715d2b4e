import { previewRoutes } from '../../src/trial/previews/preview-routes.js';
import { createPreviewService } from '../../src/trial/previews/preview-service.js';
import { renderPreviewValues, type PreviewValuesWork } from '../../src/trial/previews/preview-values-task.js';
import type { Actor } from '../../src/api/auth/actor.js';
import { TaskTooLong } from '../../src/platform/threads/thread-errors.js';

const actor: Actor = {
  keyId: 0,
  kind: 'personal',
  tenantId: 1,
  userId: 1,
  userEmail: 'ada@example.test',
  isOwner: true,
  roles: new Map([[1, 'EDITOR']]),
  keyTeamId: undefined,
};

/** A service whose threads do what `run` does. */
function serviceWith(run: (signal: AbortSignal | undefined) => Promise<unknown>) {
  const cpuMs: number[] = [];
  const nothing = { resources: new Map(), credentials: new Map(), stories: new Map() };
  const service = createPreviewService({
    database: { read: (work) => work(undefined as never) },
    graphs: { find: () => Promise.resolve(undefined) },
    values: { load: () => Promise.resolve(nothing), slugOf: () => Promise.resolve(undefined) },
    threads: { run: (_name, _input, { signal }) => run(signal) as never },
    quotas: { add: (_tenant, used) => void cpuMs.push(used.cpuMs ?? 0), requireArrival: () => undefined },
    domain: 'localhost',
  });
  return { service, cpuMs };
}

/** Work that lasts until it is ended; `onBegin` is called first. */
const endless = (onBegin: () => void) => (signal: AbortSignal | undefined) =>
  new Promise<never>((_resolve, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    onBegin();
  });

describe.each(['/api/v1/templates/preview', '/api/v1/templates/render'])('a request to %s', (path) => {
  it('ends its work when the client leaves, and counts it', async () => {
    const route = previewRoutes.find((one) => one.path === path)!;
    const left = new AbortController();
    const reason = new Error('left');
    const { service, cpuMs } = serviceWith(endless(() => left.abort(reason)));
    const body = { template: '=1', templates: [], include_event: false, team_id: 1 };
    const request = { left: () => left.signal };
    const asked = route.handle({ actor, body, request } as never, { previews: service }) as Promise<unknown>;
    await expect(asked).rejects.toBe(reason);
    expect(cpuMs).toHaveLength(1);
  });
});

it('a thread that had to be ended is told at each value', async () => {
  const { service } = serviceWith(() => Promise.reject(new TaskTooLong('render-preview-values', 7_000)));
  const templates = ['a', 'b'].map((key) => ({ key, template: '=1', option: undefined }));
  const { values } = await service.renderMany(
    actor,
    {
      templates,
      storyId: undefined,
      teamId: 1,
      eventId: undefined,
      inRun: undefined,
      inputs: undefined,
      withEvent: false,
    },
    new AbortController().signal,
  );
  expect(values.map(({ key, value, error }) => [key, value, error?.message])).toEqual([
    ['a', null, expect.stringContaining('7000')],
    ['b', null, expect.stringContaining('7000')],
  ]);
});

describe('templates that are rendered together', () => {
  const work: PreviewValuesWork = {
    language: 'liquid',
    type: undefined,
    event: { json: '{}' },
    resources: '[]',
    credentials: [],
    stories: '[]',
    meta: {},
    inputs: undefined,
    templates: [],
    local: undefined,
    hasSample: false,
    eventCharacters: undefined,
  };
  const rendered = (templates: [key: string, template: string][], rest: Partial<PreviewValuesWork> = {}) =>
    renderPreviewValues({
      ...work,
      ...rest,
      templates: templates.map(([key, template]) => ({ key, template, option: undefined })),
    }).values;

  it('name the one before them whose fault it is', () => {
    const [first, second] = rendered([
      ['a', '{% assign x = 1 | modulo: 0 %}'],
      ['b', '{{ x }}'],
    ]);
    expect(first?.error).toMatchObject({ line: 1 });
    expect(second?.error).toMatchObject({ message: `a: ${first?.error?.message}`, line: null });
  });

  it('have the parts of LOCAL that stand before, if they are parts of it themselves', () => {
    const { values } = renderPreviewValues({
      ...work,
      language: 'formula',
      local: '{"a":"=1","b":"=0"}',
      templates: [{ key: 'b', template: '=LOCAL.a + 1', option: ['local', 'b'] }],
    });
    expect(values[0]).toMatchObject({ value: '2', error: null });
  });

  it('take keys that objects have anyway for keys', () => {
    const { values } = renderPreviewValues({
      ...work,
      language: 'formula',
      templates: [{ key: 'b', template: '=1', option: ['payload', '__proto__', 'constructor', 0] }],
    });
    expect(values[0]).toMatchObject({ value: '1', error: null });
  });
});
