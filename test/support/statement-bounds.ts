import path from 'node:path';
import { Connection } from 'mysql2';
import { LEFT_BEHIND, TENANT_TABLES } from '../../src/operate/backup/tenant/tables/tenant-tables.js';

const ROOT = path.resolve(__dirname, '../..');

/** Tables whose rows belong to tenants. */
const OWNED = new Set([
  ...TENANT_TABLES.map(({ name }) => name),
  ...Object.keys(LEFT_BEHIND).filter((name) =>
    [
      'canaries',
      'canary_letters',
      'credential_tokens',
      'inbox_history',
      'inbox_marks',
      'run_values',
      'shadow_differences',
      'shadow_runs',
      'shadows',
    ].includes(name),
  ),
]);
/** Columns that tell the rows of one tenant, or of one thing, from all others. */
const KEY = /^(?:id|guid|claim|digest|group_key|webhook_path|lease|\w+_(?:id|guid|of))$/;
const NO_ALIAS =
  /^(?:as|cross|else|for|force|group|having|ignore|inner|join|left|limit|lock|on|order|right|select|set|straight_join|union|use|using|values|where)$/i;
/** A table, or a derived one, and the name that it has in the statement. */
const TABLE =
  /\b(?:FROM|JOIN|STRAIGHT_JOIN|UPDATE)\s+(#\d+|JSON_TABLE#\d+|[a-z_]+)(?:\s+(?:AS\s+)?([a-z_]\w*))?/gi;

interface Scope {
  text: string;
  parent: Scope | undefined;
}

interface Ref {
  table: string;
  alias: string;
  scope: Scope;
  bound: boolean;
}

/**
 * Returns the tables of tenants that a statement reads or changes without naming whose rows: a table is bound by a key
 * that is compared with a value or a list, or with a key of a table that is bound. Rows to be inserted are not looked at.
 */
export function unboundTables(sql: string): string[] {
  if (!/^\s*(?:SELECT|UPDATE|DELETE|INSERT|REPLACE|WITH)\b/i.test(sql)) return [];
  const scopes = scopesOf(sql);
  const refs = scopes.flatMap((scope) => refsOf(scope));
  for (let changed = true; changed; ) {
    changed = false;
    for (const ref of refs) {
      if (ref.bound || !isBound(ref, refs)) continue;
      ref.bound = true;
      changed = true;
    }
  }
  return [...new Set(refs.filter(({ bound }) => !bound).map(({ table }) => table))].toSorted();
}

/** Splits a statement into its SELECTs. Each one in brackets becomes `#n` in the one around it. */
function scopesOf(sql: string): Scope[] {
  const plain = sql
    .replaceAll(/\/\*.*?\*\//gs, ' ')
    .replaceAll(/'(?:[^'\\]|\\.|'')*'/g, '?')
    .replaceAll(/`/g, '')
    .replaceAll(/\s+/g, ' ')
    .replace(/\bON DUPLICATE KEY UPDATE\b.*$/i, '')
    .replaceAll(/\bCONVERT\((\w+\.\w+) USING \w+\)/gi, '$1')
    // A pair of columns is bound by its first.
    .replaceAll(/\((\w+(?:\.\w+)?), [^()]*\) IN\b/gi, '$1 IN');
  const root: Scope = { text: '', parent: undefined };
  const scopes = [root];
  const open: { scope: Scope; kind: 'select' | 'other' }[] = [{ scope: root, kind: 'other' }];
  for (let at = 0; at < plain.length; at++) {
    const { scope } = open.at(-1) as { scope: Scope };
    const character = plain.charAt(at);
    if (character === '(' && /^\(\s*SELECT\b/i.test(plain.slice(at, at + 12))) {
      const child: Scope = { text: '', parent: scope };
      scope.text += `#${scopes.length}`;
      scopes.push(child);
      open.push({ scope: child, kind: 'select' });
    } else if (character === '(' && /\bJSON_TABLE\s*$/i.test(scope.text)) {
      scope.text += '#0';
      open.push({ scope: { text: '', parent: undefined }, kind: 'select' });
    } else if (character === '(') {
      scope.text += character;
      open.push({ scope, kind: 'other' });
    } else if (character === ')') {
      const closed = open.pop();
      if (closed?.kind === 'other') scope.text += character;
    } else scope.text += character;
  }
  return scopes.flatMap(({ text, parent }) =>
    text.split(/\bUNION(?: ALL)?\b/i).map((part) => ({ text: part, parent })),
  );
}

function refsOf(scope: Scope): Ref[] {
  const refs: Ref[] = [];
  for (const [, table = '', given = ''] of scope.text.matchAll(TABLE)) {
    const alias = given === '' || NO_ALIAS.test(given) ? table : given;
    const isDerived = table.startsWith('#') || /^JSON_TABLE/i.test(table) || isNamedQuery(table, scope);
    if (isDerived || OWNED.has(table)) refs.push({ table, alias, scope, bound: isDerived });
  }
  return refs;
}

/** Whether a table is the name of a query: `WITH RECURSIVE line AS (…)`. */
function isNamedQuery(table: string, { text, parent }: Scope): boolean {
  if (new RegExp(`\\b${table}\\b(?: \\([^()]*\\))? AS ?#`, 'i').test(text)) return true;
  return parent !== undefined && isNamedQuery(table, parent);
}

const COMPARED =
  /(?:\b([a-z_]\w*)\.)?\b([a-z_]\w*)\s*(?:=|<=>|\bIN\b)\s*(?:(\?|\(|\d|#\d+|NULL\b)|(?:([a-z_]\w*)\.)([a-z_]\w*))/gi;

/** Looks for a condition of the table's own SELECT, or of one inside it that names it. */
function isBound(ref: Ref, refs: readonly Ref[]): boolean {
  const own = refs.filter(({ scope }) => scope === ref.scope);
  const names = (alias: string | undefined) => (alias === undefined ? own.length === 1 : alias === ref.alias);
  const find = (alias: string) => own.find((each) => each.alias === alias) ?? outer(alias, ref.scope, refs);
  // SET is no condition.
  const text = ref.scope.text.replace(/\bSET\b.*?(?=\bWHERE\b|$)/i, ' ');
  for (const [, alias, column = '', value, otherAlias, otherColumn = ''] of text.matchAll(COMPARED)) {
    if (value !== undefined) {
      if (names(alias) && KEY.test(column)) return true;
      continue;
    }
    if (names(alias) && KEY.test(column) && find(otherAlias ?? '')?.bound === true) return true;
    if (names(otherAlias) && KEY.test(otherColumn) && find(alias ?? '')?.bound === true) return true;
  }
  return false;
}

function outer(alias: string, { parent }: Scope, refs: readonly Ref[]): Ref | undefined {
  if (parent === undefined) return undefined;
  const found = refs.find((each) => each.alias === alias && each.scope.text === parent.text);
  return found ?? outer(alias, parent, refs);
}

/** A statement that reads or changes rows of several tenants. */
export interface UnboundStatement {
  /** The file that sends it: `src/engine/recovery/relay-store.ts`. */
  file: string;
  tables: string[];
  sql: string;
}

/** Looks at the statements of this process. Make it before the first connection. */
export interface WatchedStatements {
  /** Looks at what is sent while `work` runs. */
  during<T>(work: () => Promise<T>): Promise<T>;
  /** Returns the statements of the product that are bound by no key, each once. */
  unbound(): readonly UnboundStatement[];
  stop(): void;
}

export function watchStatements(): WatchedStatements {
  const driver = Object.getPrototypeOf(Connection.prototype) as { query: (...given: unknown[]) => unknown };
  const { query } = driver;
  const seen = new Set<string>();
  const unbound: UnboundStatement[] = [];
  let on = false;
  const look = (sql: string): void => {
    if (!on || seen.has(sql)) return;
    seen.add(sql);
    const tables = unboundTables(sql);
    const file = tables.length > 0 ? senderOf(new Error('stack').stack ?? '') : '';
    if (file.startsWith('src/')) unbound.push({ file, tables, sql });
  };
  driver.query = function watched(this: unknown, ...given: unknown[]) {
    const [first] = given;
    look(typeof first === 'string' ? first : (first as { sql: string }).sql);
    return query.apply(this, given);
  };
  return {
    async during(work) {
      on = true;
      try {
        return await work();
      } finally {
        on = false;
      }
    },
    unbound: () => unbound,
    stop: () => {
      driver.query = query;
    },
  };
}

/** Files that pass on the statements of others; what loops ask together is built by `coalesced-exists.ts` itself. */
const PASSES_ON = /^src\/platform\/mysql\/(?!statements\/coalesced-exists\.ts$)/;

const STACK_FILE = /\(?((?:\/[^():\s]+)+\.ts):\d+/g;

/**
 * Returns the file that has the statement: the first one on the stack that does not only pass statements on. With knex the
 * stack does not tell: it is `src/platform/mysql/connections/prepare-connection.ts` then.
 */
function senderOf(stack: string): string {
  const files = [...stack.matchAll(STACK_FILE)]
    .map(([, file = '']) => path.relative(ROOT, file))
    .filter((file) => /^(?:src|workers|test)\//.test(file) && !file.endsWith('statement-bounds.ts'));
  return files.find((file) => !PASSES_ON.test(file)) ?? files[0] ?? 'src/unknown';
}
