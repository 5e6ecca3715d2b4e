import { readdirSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { defaultOf, fileOf } from '../../support/deploy/deployed.js';

interface Service {
  image: string;
  profiles?: string[];
  environment?: Record<string, string>;
  volumes?: string[];
  secrets?: string[];
  networks: string[];
  command?: string[];
}

const compose = parse(fileOf('deploy/docker/compose.yaml'), { merge: true }) as {
  services: Record<string, Service>;
};
const { prometheus, grafana, ...others } = compose.services;
const config = parse(fileOf('deploy/prometheus/prometheus.yaml')) as {
  rule_files: string[];
  scrape_configs: {
    authorization: { credentials_file: string };
    dns_sd_configs: { names: string[]; port: number }[];
  }[];
};

/** The files that a service mounts from `deploy`, by their place in the container. */
function mountsOf(service: Service | undefined): Map<string, string> {
  const binds = (service?.volumes ?? []).filter((volume) => volume.startsWith('../'));
  return new Map(
    binds.map((bind) => {
      const [from = '', to = '', mode] = bind.split(':');
      expect([bind, mode]).toEqual([bind, 'ro']);
      return [to, path.join('deploy/docker', from)];
    }),
  );
}

test('nothing of it starts without the profile', () => {
  expect([prometheus?.profiles, grafana?.profiles]).toEqual([['monitoring'], ['monitoring']]);
  for (const service of Object.values(others)) expect(service.profiles).toBeUndefined();
});

test('the stores cannot be reached from its network', () => {
  expect([prometheus?.networks, grafana?.networks]).toEqual([['metrics'], ['metrics']]);
  for (const store of ['mysql', 'valkey']) expect(others[store]?.networks).toEqual(['stores']);
});

test('Prometheus reads every process that works, on its port of metrics and with its token', () => {
  const [scrape] = config.scrape_configs;
  const [found] = scrape?.dns_sd_configs ?? [];
  const names = found?.names ?? [];
  expect(names).toEqual(['web', 'worker']);
  expect(found?.port).toBe(defaultOf('METRICS_PORT'));
  for (const name of names) {
    expect(others[name]?.networks).toContain('metrics');
    expect(others[name]?.environment).toMatchObject({
      METRICS_HOST: '0.0.0.0',
      METRICS_TOKEN_FILE: scrape?.authorization.credentials_file,
    });
  }
  expect(prometheus?.secrets?.map((name) => `/run/secrets/${name}`)).toEqual([
    scrape?.authorization.credentials_file,
  ]);
});

test('Prometheus finds its configuration, and beside it the alert rules', () => {
  const mounts = mountsOf(prometheus);
  const [, file = ''] = /--config\.file=(\S+)/.exec(prometheus?.command?.join(' ') ?? '') ?? [];
  expect(mounts.get(file)).toBe('deploy/prometheus/prometheus.yaml');
  expect(config.rule_files.map((name) => mounts.get(path.join(path.dirname(file), name)))).toEqual([
    'deploy/prometheus/alerts.yaml',
  ]);
});

test('Grafana asks for an account, whose password is a secret, and finds the dashboard', () => {
  expect(grafana?.environment).toMatchObject({
    GF_AUTH_ANONYMOUS_ENABLED: 'false',
    GF_USERS_ALLOW_SIGN_UP: 'false',
    GF_SECURITY_ADMIN_PASSWORD__FILE: `/run/secrets/${grafana?.secrets?.[0]}`,
  });
  expect(grafana?.environment).not.toHaveProperty('GF_SECURITY_ADMIN_PASSWORD');
  const mounts = mountsOf(grafana);
  const folder = mounts.get('/etc/grafana/provisioning') ?? '';
  const provided = (name: string) =>
    readdirSync(path.join(folder, name)).map(
      (file) => parse(fileOf(path.join(folder, name, file))) as object,
    );
  const [{ providers }] = provided('dashboards') as [{ providers: { options: { path: string } }[] }];
  expect(mounts.get(path.join(providers[0]?.options.path ?? '', 'fabula.json'))).toBe(
    'deploy/grafana/fabula.json',
  );
  const [{ datasources }] = provided('datasources') as [{ datasources: { type: string; url: string }[] }];
  expect(datasources).toMatchObject([{ type: 'prometheus', url: 'http://prometheus:9090', isDefault: true }]);
});
