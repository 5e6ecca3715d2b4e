import { movedGroupKey } from '../../../engine/face.js';
import { RESTING } from '../../../stories/face.js';
import { type IdMaps, mapOf } from './id-map.js';
import { changedJson, mapKeys, movedNotice, movedOptions, movedLineage } from './moved-json.js';
import type { SecretMove } from './secret-move.js';
import type { IdKind, TenantTable } from './tables/tenant-table.js';

/** Parts of a copy that an import left out. */
export interface LeftOut {
  /** Users, by their new ids, whose password has no hash that this server computes. */
  passwords: number[];
  /** Whether the mail server's address is none that a tenant may give. */
  mailServer: boolean;
}

export const nothingLeftOut = (): LeftOut => ({ passwords: [], mailServer: false });

/** A row as it stands in a file, by column: text as the server writes it, bytes for binary columns. */
export type CopiedRow = Record<string, string | Buffer | null>;

/** A row as it becomes in another installation. */
export interface Move {
  maps: IdMaps;
  secrets: SecretMove;
  /** The time of the import, as the database writes times. */
  now: string;
  /** The tenant's new name; undefined: it keeps its own. */
  name?: string | undefined;
  /** Whether quotas and `dedicated` are those of the copy. */
  keepQuotas: boolean;
  /** New paths of webhooks, by those of the copy. */
  newPaths: ReadonlyMap<string, string>;
  leftOut: LeftOut;
}

/** Returns the row with new ids. `also`: the table's further value. */
export function movedRow(table: TenantTable, row: CopiedRow, move: Move, also: string | null): CopiedRow {
  const moved: CopiedRow = { ...row };
  for (const [column, kind] of Object.entries(table.ids))
    moved[column] = movedId(row[column], kind, move.maps);
  for (const column of table.texts ?? [])
    moved[column] = move.secrets.text(row[column] ?? null, newTeam(move));
  return { ...moved, ...SPECIAL[table.name]?.({ row, moved, move, also }) };
}

const newTeam =
  ({ maps }: Move) =>
  (id: number) =>
    mapOf(maps, 'teams').of(id);

interface Special {
  row: CopiedRow;
  moved: CopiedRow;
  move: Move;
  also: string | null;
}

/** Ids that stand in other places than a column of their own. */
const SPECIAL: Readonly<Record<string, (given: Special) => CopiedRow>> = {
  tenants: ({ row, move }) => ({
    frozen_at: move.now,
    name: move.name ?? row['name'] ?? null,
    dedicated: move.keepQuotas ? (row['dedicated'] ?? '0') : '0',
  }),
  tenant_mail_settings: ({ row, moved, move }) => ({
    encrypted_smtp_url: move.secrets.mailServer(row, moved),
  }),
  credentials: ({ row, moved, move }) => ({ encrypted_value: move.secrets.credential(row, moved) }),
  team_shares: ({ row, move }) => ({
    item_id: movedId(row['item_id'], `${textOf(row['kind'])}s`, move.maps),
  }),
  agents: ({ row, move }) => ({
    past_ids: [row['past_ids'], row['id']].filter((id) => id !== null).join(','),
    ...movedAddress(row, move),
  }),
  records: ({ row, move }) => ({
    data: changedJson(row['data'], (data) => mapKeys(data, (id) => mapOf(move.maps, 'record_fields').of(id))),
  }),
  events: ({ row, move }) => ({
    lineage: movedLineage(textOf(row['lineage']), (id) => mapOf(move.maps, 'events').of(id)),
  }),
  // The source's workers had jobs for these; here the relay adds them.
  deliveries: ({ row, move }) =>
    row['state'] === 'pending' || row['error'] === RESTING ? { due_at: move.now } : {},
  implode_items: ({ row, move, also }) => ({
    group_key: movedGroupKey(textOf(row['group_key']), mapOf(move.maps, 'agents').of(Number(also))),
  }),
  story_calls: ({ row, move }) => ({
    path: textOf(row['path'])
      .split(',')
      .map((id) => mapOf(move.maps, 'stories').of(Number(id)))
      .join(','),
  }),
  agent_removals: ({ row, move }) => ({
    up_to_id: movedId(row['up_to_id'], { after: REMOVED[textOf(row['kind'])] ?? 'events' }, move.maps),
  }),
  notices: ({ row, move }) => ({
    lease: null,
    content: changedJson(row['content'], (notice) => movedNotice(notice, move.maps)),
  }),
  audit_logs: ({ row, move }) => {
    const table = AUDITED[textOf(row['target_type'])];
    return {
      target_id: table === undefined ? null : movedId(row['target_id'], table, move.maps),
      // Sessions stay behind; that one made the change is still told.
      session_id: row['session_id'] === null ? null : '0',
    };
  },
};

/** Returns the options of an action and the path of its webhook. */
function movedAddress(row: CopiedRow, { maps, newPaths }: Move): CopiedRow {
  const options = movedOptions(row, (id) => mapOf(maps, 'stories').of(id));
  const path = newPaths.get(textOf(row['webhook_path']));
  if (path === undefined) return { options };
  return { options: changedJson(options, (given) => ({ ...given, path })), webhook_path: path };
}

const REMOVED: Readonly<Record<string, string>> = { events: 'events', logs: 'agent_logs' };

/** The tables of the audit log's targets; the ids of others are left out. */
const AUDITED: Readonly<Record<string, string>> = {
  agent: 'agents',
  api_key: 'api_keys',
  case: 'cases',
  change_request: 'change_requests',
  credential: 'credentials',
  dead_letter: 'deliveries',
  draft: 'stories',
  event: 'events',
  folder: 'folders',
  member: 'users',
  note: 'story_notes',
  promotion: 'promotions',
  record: 'records',
  record_type: 'record_types',
  resource: 'resources',
  story: 'stories',
  story_version: 'story_versions',
  step: 'steps',
  tag: 'tags',
  team: 'teams',
  template: 'action_templates',
  tenant: 'tenants',
  user: 'users',
};

function movedId(value: string | Buffer | null | undefined, kind: IdKind, maps: IdMaps): string | null {
  if (value === null || value === undefined) return null;
  const oldId = Number(value);
  const id = typeof kind === 'string' ? mapOf(maps, kind).of(oldId) : mapOf(maps, kind.after).upTo(oldId);
  return String(id);
}

function textOf(value: string | Buffer | null | undefined): string {
  return value === null || value === undefined ? '' : String(value);
}
