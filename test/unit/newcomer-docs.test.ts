import { readdirSync, readFileSync } from 'node:fs';
import { AGENT_TYPES } from '../../src/agents/index.js';
import { runVariables } from '../../src/config/variables/run-variables.js';

const page = (name: string) => readFileSync(name, 'utf8');

describe('pages for newcomers agree with the server', () => {
  test.each(['docs/build/agents.md', 'docs/understand/specification.md'])(
    '%s lists each agent type that runs, and no other',
    (name) => {
      const listed = [...page(name).matchAll(/^\| `(Agents::\w+)` \|/gm)].map(([, type]) => type);
      expect(new Set(listed)).toEqual(new Set(AGENT_TYPES.keys()));
    },
  );

  test('examples of webhooks use path and secret of the story that they name', () => {
    const story = JSON.parse(page('docs/build/examples/alert-story.json')).data.agents[0].options;
    const text = page('docs/use/webhooks.md');
    expect(text).toContain(`curl http://127.0.0.1:3000/webhook/${story.path}/${story.secret} `);
    expect(text).toContain(`curl -u any:${story.secret} http://127.0.0.1:3000/webhook/${story.path} `);
    expect(text).toContain(`-hmac '${story.secret}'`);
    expect(page('README.md')).toContain(`/webhook/${story.path}/${story.secret}`);
  });

  test('docs/understand/domain-language.md names tables that are there', () => {
    const made = new Set(
      readdirSync('migrations').flatMap((name) =>
        [...page(`migrations/${name}`).matchAll(/CREATE TABLE (?:IF NOT EXISTS )?`?(\w+)/g)].map(
          ([, table]) => table,
        ),
      ),
    );
    const rows = page('docs/understand/domain-language.md').match(/^\| (?!Word|-).+ \|$/gm) ?? [];
    const named = rows.flatMap((row) => [...(row.split(' | ').at(-1) ?? '').matchAll(/`([a-z_]+)/g)]);
    expect(named.length).toBeGreaterThan(30);
    expect(named.map(([, table]) => table).filter((table) => !made.has(table))).toEqual([]);
  });

  test('docs/understand/releasing.md names each option of `npm run release`, and no other', () => {
    const [, options = ''] = /const options = \{ (.*) \};/.exec(page('bin/release.mjs')) ?? [];
    const taken = [...options.matchAll(/'?([\w-]+)'?: (?:\{[^}]*\}|flag)/g)].map(([, name]) => name);
    const described =
      /`npm run release -- --out FOLDER`[\s\S]*?\n\n/.exec(page('docs/understand/releasing.md'))?.[0] ?? '';
    const named = [...described.matchAll(/ ?`?--([a-z-]+)/g)].map(([, name]) => name);
    expect(taken).toEqual(['out', 'dirty', 'no-install']);
    expect(new Set(named)).toEqual(new Set(taken));
  });

  test.each(['docs/use/api.md', 'docs/operate/retention.md', 'docs/understand/specification.md'])(
    '%s says after how long the audit log is deleted',
    (name) => {
      const days = runVariables.auditRetentionDays.facts.default;
      expect(page(name)).toMatch(new RegExp(`\`AUDIT_RETENTION_DAYS\` \\(${String(days)}[^)]*\\b0\\b`));
    },
  );
});
