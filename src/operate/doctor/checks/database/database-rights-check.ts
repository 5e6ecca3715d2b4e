import { readGrants } from '../../facts/database-facts-store.js';
import type { Check, StoreContext } from '../../check.js';
import { findingIf, type FindingKind } from '../../finding.js';

const RIGHTS: FindingKind = {
  id: 'database.rights',
  severity: 'error',
  why: 'Processes read and write every table. If a privilege is missing, requests and workers fail.',
  remedy: 'GRANT SELECT, INSERT, UPDATE, DELETE ON the database TO the account of DATABASE_URL.',
};
const MIGRATION_RIGHTS: FindingKind = {
  id: 'database.rights-to-migrate',
  severity: 'note',
  why: 'Only migrations need these privileges, because they alter tables.',
  remedy: 'Run "migrate" with an account that has them, or grant them to this account.',
};

const TO_RUN = ['SELECT', 'INSERT', 'UPDATE', 'DELETE'];
const TO_MIGRATE = ['CREATE', 'ALTER', 'DROP', 'INDEX'];

/** The rights of this account in the database. */
export const databaseRightsCheck: Check<StoreContext> = {
  name: 'database privileges',
  needs: ['database'],
  kinds: [RIGHTS, MIGRATION_RIGHTS],
  async run({ database }) {
    const { grants, database: name } = await database.read(readGrants);
    const held = new Set(grants.flatMap((grant) => rightsIn(grant, name)));
    const without = (wanted: string[]) =>
      held.has('ALL PRIVILEGES') ? [] : wanted.filter((each) => !held.has(each));
    const [toRun, toMigrate] = [without(TO_RUN), without(TO_MIGRATE)];
    return [
      ...findingIf(toRun.length > 0, RIGHTS, `The account is missing ${toRun.join(', ')}.`),
      ...findingIf(toMigrate.length > 0, MIGRATION_RIGHTS, `The account is missing ${toMigrate.join(', ')}.`),
    ];
  },
};

/** Returns the rights that a line of SHOW GRANTS gives for the whole database; none for a grant of a table or a role. */
export function rightsIn(grant: string, database: string): string[] {
  const [, rights, scope = ''] = /^GRANT (.+?) ON (\S+) TO /.exec(grant) ?? [];
  if (rights === undefined || !covers(scope, database)) return [];
  return rights.split(', ');
}

/** `_` and `%` in the name of a database are wildcards, unless a backslash stands before them. */
function covers(scope: string, database: string): boolean {
  if (scope === '*.*') return true;
  const [, named] = /^[`"](.+)[`"]\.\*$/.exec(scope) ?? [];
  if (named === undefined) return false;
  const pattern = named.replaceAll(/\\?[\s\S]/g, (part) => PARTS[part] ?? escaped(part));
  return new RegExp(`^${pattern}$`, 'i').test(database);
}

const PARTS: Readonly<Record<string, string>> = { _: '.', '%': '.*' };

function escaped(part: string): string {
  return part.slice(-1).replace(/[$()*+.?[\\\]^{|}-]/, String.raw`\$&`);
}
