import type { Knex } from 'knex';
import * as m01 from './20261121000100_create_settings.js';
import * as m02 from './20261121000200_create_tenants.js';
import * as m03 from './20261121000300_create_users.js';
import * as m04 from './20261121000400_create_teams.js';
import * as m05 from './20261121000500_create_memberships.js';
import * as m06 from './20261121000600_create_api_keys.js';
import * as m07 from './20261121000700_create_folders.js';
import * as m08 from './20261121000800_create_stories.js';
import * as m09 from './20261121000900_create_agents.js';
import * as m10 from './20261121001000_create_links.js';
import * as m11 from './20261121001100_create_story_runs.js';
import * as m12 from './20261121001200_create_events.js';
import * as m13 from './20261121001300_create_deliveries.js';
import * as m14 from './20261121001400_create_agent_logs.js';
import * as m15 from './20261121001500_create_agent_memory.js';
import * as m16 from './20261121001600_create_credentials.js';
import * as m17 from './20261121001700_create_resources.js';

/** One step of the schema; MySQL commits each DDL statement by itself, so a step is one statement. */
export interface Migration {
  up(knex: Knex): Promise<void>;
  down(knex: Knex): Promise<void>;
}

/** Every migration by id, oldest first. A list, not a folder scan: .ts in tests and .js in dist are the same. */
export const MIGRATIONS: Record<string, Migration> = {
  '20261121000100_create_settings': m01,
  '20261121000200_create_tenants': m02,
  '20261121000300_create_users': m03,
  '20261121000400_create_teams': m04,
  '20261121000500_create_memberships': m05,
  '20261121000600_create_api_keys': m06,
  '20261121000700_create_folders': m07,
  '20261121000800_create_stories': m08,
  '20261121000900_create_agents': m09,
  '20261121001000_create_links': m10,
  '20261121001100_create_story_runs': m11,
  '20261121001200_create_events': m12,
  '20261121001300_create_deliveries': m13,
  '20261121001400_create_agent_logs': m14,
  '20261121001500_create_agent_memory': m15,
  '20261121001600_create_credentials': m16,
  '20261121001700_create_resources': m17,
};
