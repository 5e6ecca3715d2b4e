import { readdirSync } from 'node:fs';
import Ajv from 'ajv';
import { parse } from 'yaml';
import { DELIVERY_QUEUES } from '../../../src/agents/delivery-queues.js';
import { MOST_PARTS } from '../../../src/config/variables/run-variables.js';
import { QUEUES } from '../../../src/engine/dispatch/jobs.js';
import { readChartSchema, withSecretsRefused } from '../../support/deploy/chart-schema.js';
import { defaultOf, fileOf, KNOWN_NAMES, PROCFILE, SECRET_NAMES } from '../../support/deploy/deployed.js';

const CHART = 'deploy/helm/fabula';
const templates = readdirSync(`${CHART}/templates`).map((name) => ({
  name,
  text: fileOf(`${CHART}/templates/${name}`),
}));
const all = templates.map(({ text }) => text).join('\n');

interface Values {
  secret: { keys: Record<string, string>; webKeys: Record<string, string> };
  settings: Record<string, unknown>;
  shutdownSeconds: number;
  metrics: { port: number };
  workers: Record<string, unknown>;
  [key: string]: unknown;
}

const values = parse(fileOf(`${CHART}/values.yaml`)) as Values;
const schemaText = fileOf(`${CHART}/values.schema.json`);
const schema = readChartSchema(schemaText);
const validate = new Ajv({ allErrors: true, allowUnionTypes: true }).compile(schema);

/** The paths of the values that a chart is given: `web.replicas`. Below `workers` stands any name. */
function paths(value: unknown, path: string[] = []): string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [path.join('.')];
  const inside = Object.entries(value).flatMap(([key, child]) => paths(child, [...path, key]));
  return path.length === 0 ? inside : [path.join('.'), ...inside];
}

const workersOfProcfile = [...PROCFILE.keys()].filter((name) => name !== 'release' && name !== 'web');

describe('the values of the chart', () => {
  test('are accepted by their schema', () => {
    validate(values);
    expect(validate.errors).toBeNull();
  });

  test.each([
    ['an unknown name', { ...values, wbe: {} }],
    ['a worker that is no program', { ...values, workers: { ...values.workers, mailer: {} } }],
    ['some queues without a worker', { ...values, workers: { trigger: values.workers['all'] } }],
    ['a secret among the settings', { ...values, settings: { SMTP_URL: 'smtp://user:password@host' } }],
    ['a key of the Secret for a file', { ...values, secret: { ...values.secret, webKeys: { X_FILE: 'x' } } }],
    ['parts of the spool, which has one', { ...values, queueParts: { 'webhook-events': 2 } }],
    ['parts among the settings', { ...values, settings: { QUEUE_PARTS: 'trigger=2' } }],
    ['no encryption key', { ...values, secret: { ...values.secret, keys: {} } }],
  ])('are refused with %s', (_, wrong) => {
    expect(validate(wrong)).toBe(false);
  });

  test('know the programs of the Procfile, and no others', () => {
    const programs = workersOfProcfile.map((name) => (name === 'worker' ? 'all' : name));
    expect(schema.properties.workers.propertyNames.enum.toSorted()).toEqual(programs.toSorted());
  });

  test('spread the queues that may have parts, up to as many', () => {
    const { propertyNames, additionalProperties } = schema.properties.queueParts;
    expect(propertyNames.enum).toEqual(DELIVERY_QUEUES);
    expect(additionalProperties.maximum).toBe(MOST_PARTS);
  });

  test('name known variables; secrets only as keys of the Secret', () => {
    const given = [values.secret.keys, values.secret.webKeys].flatMap((keys) => Object.keys(keys));
    for (const name of given) expect([name, SECRET_NAMES.has(name)]).toEqual([name, true]);
    for (const name of Object.keys(values.settings)) {
      expect([name, KNOWN_NAMES.has(name), SECRET_NAMES.has(name)]).toEqual([name, true, false]);
    }
  });

  test('refuse every secret among the settings, as `npm run docs:configuration` writes it', () => {
    expect(schemaText).toBe(withSecretsRefused(schemaText));
  });

  test('are the defaults of the configuration', () => {
    expect(values.shutdownSeconds).toBe(defaultOf('SHUTDOWN_SECONDS'));
    expect(values.metrics.port).toBe(defaultOf('METRICS_PORT'));
    expect(values['queueParts']).toEqual(defaultOf('QUEUE_PARTS'));
  });
});

describe('the templates of the chart', () => {
  test('use only values that there are, and every one of them', () => {
    const given = paths(values);
    const optional = ['secret.keys.METRICS_TOKEN'];
    const used = [...all.matchAll(/\.Values\.([A-Za-z._]+[A-Za-z])/g)].map(([, name = '']) => name);
    expect(used.filter((name) => !given.includes(name) && !optional.includes(name))).toEqual([]);
    const ofWorkers = [...all.matchAll(/\$worker\.([A-Za-z.]+[A-Za-z])/g)].map(
      ([, name]) => `workers.all.${name}`,
    );
    expect(ofWorkers.filter((name) => !given.includes(name))).toEqual([]);
    const top = Object.keys(values).filter((name) => !used.some((path) => path.split('.')[0] === name));
    expect(top).toEqual([]);
  });

  test('close what they open', () => {
    for (const { name, text } of templates) {
      const opened = text.match(/\{\{-? *(?:if|range|with|define) /g)?.length ?? 0;
      const closed = text.match(/\{\{-? *end *-?\}\}/g)?.length ?? 0;
      expect([name, closed]).toEqual([name, opened]);
    }
  });

  test('run the commands of the Procfile', () => {
    const commands = [...all.matchAll(/^ +command: \["node", (.+)\]$/gm)].map(([, rest = '']) =>
      ['node', ...(JSON.parse(`[${rest}]`) as string[])].join(' '),
    );
    const [migrate, web, worker] = commands;
    expect(commands).toHaveLength(3);
    expect(migrate).toBe(PROCFILE.get('release'));
    expect(web).toBe(PROCFILE.get('web'));
    for (const name of workersOfProcfile)
      expect(worker?.replace('{{ $name }}', name === 'worker' ? 'all' : name)).toBe(PROCFILE.get(name));
  });

  test('ask the real health routes, on the port of web', () => {
    const probes = [...all.matchAll(/(\w+)Probe:\n +httpGet: \{ path: (\/\w+), port: http \}/g)];
    expect(probes.map(([, kind, path]) => [kind, path])).toEqual([
      ['startup', '/healthz'],
      ['liveness', '/healthz'],
      ['readiness', '/readyz'],
    ]);
    const health = fileOf('src/platform/http/server/health-router.ts');
    for (const path of ['/healthz', '/readyz']) expect(health).toContain(`router.get('${path}'`);
    expect(all).toContain(`name: http, containerPort: ${String(defaultOf('PORT'))} }`);
  });

  test('let every pod take longer to end than its process', () => {
    const graces = [...all.matchAll(/"grace" \((add [^)]+)\)/g)].map(([, sum]) => sum);
    expect(graces).toEqual([
      'add .Values.shutdownSeconds 10',
      'add .Values.shutdownSeconds .Values.web.preStopSeconds 10',
      'add $.Values.shutdownSeconds 10',
    ]);
  });

  test('give no right that a pod does not need', () => {
    for (const line of [
      'runAsNonRoot: true',
      'runAsUser: 10001',
      'readOnlyRootFilesystem: true',
      'allowPrivilegeEscalation: false',
      'capabilities: { drop: [ALL] }',
      'automountServiceAccountToken: false',
      'seccompProfile: { type: RuntimeDefault }',
    ])
      expect(all).toContain(line);
    expect(all.match(/include "fabula\.container"/g)).toHaveLength(3);
    expect(all.match(/include "fabula\.pod"/g)).toHaveLength(3);
  });

  test('set known variables alone', () => {
    const set = [...all.matchAll(/\{ name: ([A-Z][A-Z_]+), value/g)].map(([, name = '']) => name);
    expect(set.length).toBeGreaterThan(4);
    for (const name of set) expect([name, KNOWN_NAMES.has(name)]).toEqual([name, true]);
  });

  test('scale on a metric that workers export, by the names of queues', () => {
    const page = fileOf('docs/operate/metrics.md');
    const metrics = new Set(all.match(/fabula_\w+/g));
    expect([...metrics]).toEqual(['fabula_queue_oldest_seconds']);
    expect(page).toContain('| `fabula_queue_oldest_seconds` | gauge | `queue`');
    // The name of a worker that can be scaled is that of its queue.
    const queues = new Set<string>(QUEUES);
    const without = workersOfProcfile.filter((name) => !queues.has(name));
    expect(without.toSorted()).toEqual(['maintenance', 'worker']);
  });
});
