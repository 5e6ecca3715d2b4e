import { readFileSync } from 'node:fs';
import { readConfig } from '../../src/config/config.js';
import { variablesIn } from '../../src/config/variable.js';
import { VARIABLES } from '../../src/config/variables.js';
import {
  CONFIGURATION_PAGE,
  ENVIRONMENT_EXAMPLE,
  environmentExample,
  withVariables,
} from '../support/configuration-page.js';

const variables = variablesIn(VARIABLES);
const stores = { DATABASE_URL: 'mysql://user@host/name', REDIS_URL: 'redis://host' };
const example = readFileSync(ENVIRONMENT_EXAMPLE, 'utf8');
const assignments = [...example.matchAll(/^# ([A-Z][A-Z0-9_]+)=(.*)$/gm)].map(
  ([, name = '', value = '']) => [name, value] as const,
);

describe('the table of variables', () => {
  test('docs/operate/configuration.md is what `npm run docs:configuration` writes', () => {
    const page = readFileSync(CONFIGURATION_PAGE, 'utf8');
    expect(page).toBe(withVariables(page));
  });

  test('.env.example is what `npm run docs:configuration` writes', () => {
    expect(example).toBe(environmentExample());
  });

  test('has each variable once', () => {
    const names = variables.map(({ name }) => name);
    expect(names).toEqual([...new Set(names)]);
    expect(names.length).toBeGreaterThan(70);
  });

  test('says what each variable means in one sentence of at most 20 words', () => {
    for (const { name, facts } of variables) {
      const words = facts.meaning.split(/\s+/).length;
      expect([name, words <= 20, /^[A-Z].*\.$/.test(facts.meaning)]).toEqual([name, true, true]);
    }
  });
});

describe('.env.example', () => {
  test('has every variable once, commented out', () => {
    expect(assignments.map(([name]) => name)).toEqual(variables.map(({ name }) => name));
    expect(example).not.toMatch(/^[^#\n]/m);
  });

  test('holds no value of a secret', () => {
    const secrets = new Set(variables.filter(({ facts }) => facts.secret).map(({ name }) => name));
    const written = assignments.filter(([name, value]) => secrets.has(name) && value !== '');
    expect(secrets.size).toBeGreaterThan(5);
    expect(written).toEqual([]);
  });

  test('gives the same configuration as no file at all', () => {
    expect(readConfig({ ...Object.fromEntries(assignments), ...stores })).toEqual(readConfig(stores));
  });
});

test('a default may depend on other variables', () => {
  expect(readConfig({ ...stores, RATE_LIMIT_PER_MINUTE: '7' })).toMatchObject({
    userRateLimitPerMinute: 7,
    tenantRateLimitPerMinute: 28,
  });
  expect(readConfig({ ...stores, PORT: '3001' }).adminPort).toBe(3002);
  expect(readConfig({ ...stores, ADMIN_ORIGIN: 'https://admin.example.com' }).adminPort).toBeUndefined();
});

describe('I9: tokens for the mail server', () => {
  const oauth = {
    SMTP_URL: 'smtp://a%40b.example@mail.example',
    SMTP_OAUTH_TOKEN_URL: 'https://login.example/token',
    SMTP_OAUTH_CLIENT_ID: 'me',
    SMTP_OAUTH_CLIENT_SECRET: 'hush',
  };

  test('are configured with a secret, or with the token of a person', () => {
    const { smtpOauth } = readConfig({ ...stores, ...oauth });
    expect(smtpOauth).toMatchObject({ clientId: 'me', clientSecret: 'hush' });
    const { SMTP_OAUTH_CLIENT_SECRET: _, ...rest } = oauth;
    expect(() => readConfig({ ...stores, ...rest, SMTP_OAUTH_REFRESH_TOKEN: 'r' })).not.toThrow();
  });

  test.each([
    [{ SMTP_OAUTH_TOKEN_URL: '' }, 'SMTP_OAUTH_TOKEN_URL is required'],
    [{ SMTP_OAUTH_CLIENT_ID: '' }, 'SMTP_OAUTH_CLIENT_ID is required'],
    [{ SMTP_OAUTH_CLIENT_SECRET: '' }, 'SMTP_OAUTH_CLIENT_SECRET or SMTP_OAUTH_REFRESH_TOKEN is required'],
    [{ SMTP_URL: '' }, 'SMTP_URL must have a user and no password'],
    [{ SMTP_URL: 'smtp://mail.example' }, 'SMTP_URL must have a user and no password'],
    [{ SMTP_URL: 'smtp://a:b@mail.example' }, 'SMTP_URL must have a user and no password'],
  ])('are not configured with %j', (wrong, fault) => {
    expect(() => readConfig({ ...stores, ...oauth, ...wrong })).toThrow(fault);
  });
});
