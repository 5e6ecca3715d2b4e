import { readdirSync } from 'node:fs';
import { defaultOf, fileOf, KNOWN_NAMES, PROCFILE, SECRET_NAMES } from '../../support/deploy/deployed.js';

const FOLDER = 'deploy/systemd';
const units = readdirSync(FOLDER);
const services = units.filter((name) => name.endsWith('.service'));

/** The settings of a unit by name, in order; a name may be given several times. */
function settingsOf(unit: string): Map<string, string[]> {
  const settings = new Map<string, string[]>();
  for (const line of fileOf(`${FOLDER}/${unit}`).split('\n')) {
    if (line === '' || /^[#[]/.test(line)) continue;
    const [, name = '', value = ''] = /^([A-Za-z]+)=(.*)$/.exec(line) ?? [];
    if (name === '') throw new Error(`${unit}: ${line}`);
    settings.set(name, [...(settings.get(name) ?? []), value]);
  }
  return settings;
}

/** The variables that a unit sets. */
function environmentOf(unit: string): [string, string][] {
  const lines = settingsOf(unit).get('Environment') ?? [];
  return lines
    .flatMap((line) => line.split(' '))
    .map((each) => [each.slice(0, each.indexOf('=')), each.slice(each.indexOf('=') + 1)]);
}

/** The command of a unit, as the Procfile would name it. */
function started(unit: string): string | undefined {
  return settingsOf(unit).get('ExecStart')?.[0]?.replace('/usr/bin/', '');
}

test('there is a unit for web, workers and the migration', () => {
  expect(units).toEqual([
    'fabula-migrate.service',
    'fabula-web.service',
    'fabula-worker@.service',
    'fabula.target',
  ]);
});

test('the units run the commands of the Procfile', () => {
  expect(started('fabula-migrate.service')).toBe(PROCFILE.get('release'));
  expect(started('fabula-web.service')).toBe(PROCFILE.get('web'));
  const workers = [...PROCFILE].filter(([name]) => name !== 'release' && name !== 'web');
  const template = started('fabula-worker@.service');
  for (const [name, command] of workers) {
    expect(template?.replace('%i', name === 'worker' ? 'all' : name)).toBe(command);
  }
});

test.each(services)('%s has no right that it does not need', (unit) => {
  expect(Object.fromEntries(settingsOf(unit))).toMatchObject({
    User: ['fabula'],
    NoNewPrivileges: ['yes'],
    CapabilityBoundingSet: [''],
    ProtectSystem: ['strict'],
    ProtectHome: ['yes'],
    PrivateTmp: ['yes'],
    PrivateDevices: ['yes'],
    SystemCallFilter: ['@system-service', '~@privileged @resources'],
    UMask: ['0077'],
  });
});

test.each(services)('%s sets known variables, and gives secrets as credentials alone', (unit) => {
  const environment = environmentOf(unit);
  for (const [name] of environment) expect([name, KNOWN_NAMES.has(name)]).toEqual([name, true]);
  expect(environment.filter(([name]) => SECRET_NAMES.has(name))).toEqual([]);
  const loaded = settingsOf(unit)
    .get('LoadCredential')
    ?.map((line) => `%d/${line.split(':')[0]}`);
  const files = environment.filter(([name]) => name.endsWith('_FILE')).map(([, value]) => value);
  expect(files.length).toBeGreaterThan(2);
  expect(files).toEqual(loaded);
});

test.each(services.filter((unit) => unit !== 'fabula-migrate.service'))(
  '%s may take longer to end than its shutdown takes, and is always started again',
  (unit) => {
    const settings = settingsOf(unit);
    expect(Number(settings.get('TimeoutStopSec')?.[0])).toBeGreaterThan(
      Number(defaultOf('SHUTDOWN_SECONDS')),
    );
    expect(settings.get('Restart')).toEqual(['always']);
    expect(settings.get('StartLimitIntervalSec')).toEqual(['0']);
    // The process must start without the database too, so the migration is wanted, not required.
    expect(settings.get('Wants')).toContain('fabula-migrate.service');
    expect(settings.has('Requires')).toBe(false);
  },
);
