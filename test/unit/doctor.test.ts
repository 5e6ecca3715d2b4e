import { readFileSync } from 'node:fs';
import type { StoreContext } from '../../src/operate/doctor/check.js';
import { rightsIn } from '../../src/operate/doctor/checks/database/database-rights-check.js';
import {
  flushCheck,
  isolationCheck,
  replicationCheck,
} from '../../src/operate/doctor/checks/database/database-setting-checks.js';
import { finding } from '../../src/operate/doctor/finding.js';
import { exitCodeOf, reportOf } from '../../src/operate/doctor/report.js';
import { isSimilar } from '../../src/operate/doctor/checks/variable-checks.js';
import { skewOf } from '../../src/operate/doctor/skew.js';
import { isOlder } from '../../src/operate/doctor/version-number.js';
import { ALL_KINDS, DOCTOR_PAGE, withFindings } from '../support/doctor-page.js';

const idsOf = async (check: typeof flushCheck, settings: Record<string, string>) => {
  const context = { databaseSettings: async () => new Map(Object.entries(settings)) };
  return (await check.run(context as unknown as StoreContext)).map(({ id }) => id);
};

/** A process whose clock reads these times, one after the other. */
const clock =
  (...times: number[]) =>
  () =>
    times.shift() ?? 0;

describe('docs/operate/doctor.md', () => {
  it('lists each finding with its remedy; run "npm run docs:doctor" after a change', () => {
    const page = readFileSync(DOCTOR_PAGE, 'utf8');
    expect(page).toBe(withFindings(page));
  });

  it('has every id once', () => {
    const ids = ALL_KINDS.map(({ id }) => id);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
    expect(ids.length).toBeGreaterThan(50);
  });
});

describe('the rights in a grant', () => {
  it.each([
    [
      "GRANT ALL PRIVILEGES ON *.* TO `a`@`%` IDENTIFIED BY PASSWORD 'x' WITH GRANT OPTION",
      ['ALL PRIVILEGES'],
    ],
    ['GRANT SELECT, INSERT ON `fabula`.* TO `a`@`%`', ['SELECT', 'INSERT']],
    ['GRANT SELECT ON `fab%`.* TO `a`@`%`', ['SELECT']],
    [String.raw`GRANT SELECT ON ${'`'}fabula\_test${'`'}.* TO ${'`'}a${'`'}@${'`'}%${'`'}`, []],
    ['GRANT SELECT ON `fabula`.`events` TO `a`@`%`', []],
    ['GRANT USAGE ON *.* TO `a`@`%`', ['USAGE']],
    ['GRANT `operator`@`%` TO `a`@`%`', []],
    ['GRANT SELECT ON `other`.* TO `a`@`%`', []],
  ])('%s', (grant, rights) => {
    expect(rightsIn(grant, 'fabula')).toEqual(rights);
  });

  it('an escaped underscore is no wildcard', () => {
    const grant = String.raw`GRANT SELECT ON ${'`'}a\_b${'`'}.* TO ${'`'}a${'`'}@${'`'}%${'`'}`;
    expect([rightsIn(grant, 'a_b'), rightsIn(grant, 'axb')]).toEqual([['SELECT'], []]);
  });
});

describe('settings of servers that a test cannot have', () => {
  it.each([
    [
      flushCheck,
      { innodb_flush_log_at_trx_commit: '1', log_bin: 'ON', sync_binlog: '0' },
      ['database.sync-binlog'],
    ],
    [flushCheck, { innodb_flush_log_at_trx_commit: '1', log_bin: 'OFF', sync_binlog: '0' }, []],
    [flushCheck, { innodb_flush_log_at_trx_commit: '0', log_bin: 'OFF' }, ['database.flush']],
    [isolationCheck, { transaction_isolation: 'REPEATABLE-READ' }, ['database.isolation']],
    [isolationCheck, { tx_isolation: 'READ-COMMITTED' }, []],
    [replicationCheck, { log_bin: 'ON', binlog_format: 'STATEMENT' }, ['database.binlog-format']],
    [replicationCheck, { log_bin: 'OFF', binlog_format: 'STATEMENT' }, []],
    [replicationCheck, { log_bin: 'ON', binlog_format: 'ROW', wsrep_on: 'ON' }, ['database.galera']],
    [replicationCheck, { super_read_only: 'ON' }, ['database.read-only']],
  ])('%#: %o', async (check, settings, ids) => {
    expect(await idsOf(check, settings)).toEqual(ids);
  });
});

test.each([
  ['10.6.12-MariaDB', '10.6', false],
  ['10.11.2-MariaDB', '10.6', false],
  ['10.5.9-MariaDB', '10.6', true],
  ['5.7.44', '8.0', true],
  ['9.7.0', '8.0', false],
  ['6.0.16', '6.2', true],
  ['', '6.2', true],
])('version %s is older than %s: %s', (version, least, older) => {
  expect(isOlder(version, least)).toBe(older);
});

test.each([
  ['SMPT_URL', 'SMTP_URL', true],
  ['PUBLIC_UR', 'PUBLIC_URL', true],
  ['PUBLIC_URI_X', 'PUBLIC_URL', false],
  ['', 'ab', true],
])('%s is similar to %s: %s', (one, other, similar) => {
  expect(isSimilar(one, other, 2)).toBe(similar);
});

describe('a difference of clocks', () => {
  it.each([
    [100_000, 'is 5.0 s behind this process'],
    [112_000, 'is 6.0 s ahead of this process'],
    [105_500, undefined],
    [107_000, undefined],
  ])('the server says %s', async (theirs, said) => {
    expect(await skewOf(async () => theirs, clock(105_000, 106_000))).toBe(said);
  });
});

test.each([
  [[], 0],
  [['note'], 0],
  [['note', 'warning'], 1],
  [['error', 'warning'], 2],
] as const)('findings %j end with exit code %s', (severities, code) => {
  const findings = severities.map((severity) => finding({ id: 'disk.x', severity, why: '', remedy: '' }, ''));
  expect(exitCodeOf(reportOf(findings, 1))).toBe(code);
});
