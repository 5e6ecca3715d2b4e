import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parse, stringify } from 'yaml';
import { findFreePort } from '../../src/operate/embedded/free-port.js';
import { fileOf } from '../support/deploy/deployed.js';
import { eventually } from '../support/eventually.js';
import { fabulaEnvironment } from '../support/fabula-environment.js';
import { type FabulaProcess, startProcess } from '../support/processes.js';
import { useStores } from '../support/stores.js';

const stores = useStores({ ownDatabase: true });
const TOKEN = 'of-sixteen-letters';
const folder = mkdtempSync(path.join(tmpdir(), 'fabula-prometheus-'));
const children: FabulaProcess[] = [];
let prometheus: ChildProcess | undefined;
let url: string;

const PROMETHEUS = ['/usr/bin/prometheus', '/usr/local/bin/prometheus'].find((file) => existsSync(file));
const withPrometheus = PROMETHEUS === undefined ? describe.skip : describe;

async function startMetrics(file: string): Promise<number> {
  const env = { METRICS_TOKEN: TOKEN, LOG_LEVEL: 'info', DATA_DIR: folder };
  const child = startProcess(file, fabulaEnvironment(stores, env));
  children.push(child);
  await child.said('metrics are served');
  const line = child
    .output()
    .split('\n')
    .find((each) => each.includes('metrics are served'));
  return (JSON.parse(line ?? '{}') as { port: number }).port;
}

/** Our configuration and rules, with these processes in place of the containers. */
async function startPrometheus(ports: number[]): Promise<void> {
  const config = parse(fileOf('deploy/prometheus/prometheus.yaml')) as {
    global: object;
    scrape_configs: { dns_sd_configs?: unknown }[];
  };
  config.global = { scrape_interval: '1s', evaluation_interval: '1s' };
  for (const scrape of config.scrape_configs) {
    delete scrape.dns_sd_configs;
    const targets = ports.map((port) => `127.0.0.1:${port}`);
    Object.assign(scrape, { static_configs: [{ targets }], authorization: { credentials: TOKEN } });
  }
  writeFileSync(path.join(folder, 'prometheus.yaml'), stringify(config));
  writeFileSync(path.join(folder, 'alerts.yaml'), fileOf('deploy/prometheus/alerts.yaml'));
  if (PROMETHEUS === undefined) throw new Error('Prometheus is not on this machine');
  const port = await findFreePort();
  url = `http://127.0.0.1:${port}/api/v1`;
  prometheus = spawn(
    PROMETHEUS,
    [
      `--config.file=${folder}/prometheus.yaml`,
      `--storage.tsdb.path=${folder}/data`,
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    { stdio: 'ignore' },
  );
}

async function ask<T>(route: string): Promise<T | undefined> {
  const response = await fetch(`${url}${route}`).catch(() => undefined);
  // 503 while it starts.
  if (response === undefined || response.status === 503) return undefined;
  const { status, data, error } = (await response.json()) as { status: string; data: T; error?: string };
  if (status !== 'success') throw new Error(`${route}: ${error}`);
  return data;
}

withPrometheus(`Prometheus (${PROMETHEUS ?? 'left out: not on this machine'})`, () => {
  beforeAll(async () => {
    const ports = [await startMetrics('web'), await startMetrics('workers/all')];
    await startPrometheus(ports);
  });

  afterAll(async () => {
    if (prometheus !== undefined) {
      const gone = new Promise((resolve) => prometheus?.once('exit', resolve));
      prometheus.kill('SIGKILL');
      await gone;
    }
    await Promise.all(children.map((child) => child.stop('SIGKILL')));
    rmSync(folder, { recursive: true, force: true });
  });

  test('reads both processes with the token', async () => {
    await eventually(async () => {
      const up = await ask<{ result: { value: [number, string] }[] }>('/query?query=up');
      return up?.result.map(({ value }) => value[1]).join() === '1,1';
    }, 60_000);
  });

  test('evaluates every alert rule without an error', async () => {
    interface Rule {
      name: string;
      health: string;
      lastError?: string;
    }
    const rules = await eventually(async () => {
      const { groups = [] } = (await ask<{ groups: { rules: Rule[] }[] }>('/rules')) ?? {};
      const found = groups.flatMap((group) => group.rules);
      return found.length > 0 && found.every(({ health }) => health !== 'unknown') && found;
    }, 60_000);
    expect(rules.filter(({ health }) => health !== 'ok')).toEqual([]);
    expect(rules.length).toBeGreaterThan(10);
  });

  test('understands the query of every panel, and has figures for most', async () => {
    const { panels } = JSON.parse(fileOf('deploy/grafana/fabula.json')) as {
      panels: { title: string; targets?: { expr: string }[] }[];
    };
    const targets = panels.flatMap(({ title, targets: shown = [] }) =>
      shown.map(({ expr }) => ({ title, expr: expr.replaceAll('$__rate_interval', '1m') })),
    );
    const found = await eventually(async () => {
      const responses = [];
      for (const { title, expr } of targets) {
        const data = await ask<{ result: unknown[] }>(`/query?query=${encodeURIComponent(expr)}`);
        responses.push({ title, series: data?.result.length ?? 0 });
      }
      const shown = responses.filter(({ series }) => series > 0);
      return shown.length > targets.length / 2 && shown;
    }, 60_000);
    expect(found.map(({ title }) => title)).toEqual(expect.arrayContaining(['Answer time', 'Versions']));
  });
});
