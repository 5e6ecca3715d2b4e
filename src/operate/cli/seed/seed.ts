import { type Config, consoleUrl } from '../../../config/face.js';
import { signInAddress, type Team, type Tenant, type User } from '../../../people/face.js';
import { type CliServices, resolveActor, resolveUser, withCliServices } from '../stores/cli-services.js';
import { type AuditedCommand, recordCommand } from '../cli-audit.js';
import { readCredentials } from '../credentials-file.js';
import { DEMO_STORY, DEMO_STORY_NAME } from './demo-story.js';
import { createSeedStore } from './seed-store.js';
import { reachableHost } from '../../../platform/http/address/reachable-host.js';
import type { Seeded } from './seeded.js';

const TENANT_NAME = 'Fabula';
const TEAM_NAME = 'Demo';
const USER_EMAIL = 'admin@fabula.local';

/**
 * Creates a tenant, a team, an owner with an API key, and a demo story, once, in a database without tenants.
 * If tenants already exist, it returns the existing objects. It then creates only a key, if `credentials.json`
 * has none: the database stores only digests.
 */
export async function seed(config: Config): Promise<Seeded> {
  return withCliServices(config, async (services) => {
    const store = createSeedStore(services.database);
    const state = await store.state();
    const known = await services.tenants.listTenants();
    // Continue an interrupted seed. Do not change tenants that the seed did not create.
    const making = state === 'seeding' || (state === undefined && known.length === 0);
    if (making) await store.mark('seeding');
    const home = making ? await makeHome(services) : await findHome(services, known);
    const apiKey = readCredentials(config.dataDir)?.api_key ?? (await makeKey(services, home));
    if (making) {
      await importDemo(services, home);
      await store.mark('done');
    }
    const webhook = await store.findWebhook(home.team.id, DEMO_STORY_NAME);
    return seeded(config, { ...home, apiKey, webhook, consoleLink: await makeLink(services, home) });
  });
}

interface Home {
  tenant: Tenant;
  team: Team;
  user: User;
}

/** Finds or creates each part, so that an interrupted seed can continue. */
async function makeHome({ tenants, database }: CliServices): Promise<Home> {
  const [knownTenant] = await tenants.listTenants();
  const tenant = knownTenant ?? (await tenants.createTenant({ name: TENANT_NAME }));
  const tenantId = tenant.id;
  const note = (action: string, made: unknown) => noteWrite(database, { action, made, tenantId });
  if (knownTenant === undefined) await note('tenant.create', tenant);
  const [knownTeam] = await tenants.listTeams(tenantId);
  const team = knownTeam ?? (await tenants.createTeam({ tenantId, name: TEAM_NAME }));
  if (knownTeam === undefined) await note('team.create', team);
  const knownUser = (await tenants.listUsers(tenantId)).find(({ email }) => email === USER_EMAIL);
  const user =
    knownUser ?? (await tenants.createUser({ tenantId, email: USER_EMAIL, firstName: 'Admin', owner: true }));
  if (knownUser === undefined) await note('user.create', user);
  await tenants.addMember({ teamId: team.id, userId: user.id, role: 'TEAM_ADMIN' });
  await note('member.add', { team_id: team.id, user_id: user.id });
  return { tenant, team, user };
}

/** Adds an audit entry for a write of the first start, as for every write. */
function noteWrite(database: CliServices['database'], write: Omit<AuditedCommand, 'command'>): Promise<void> {
  return recordCommand(database, { ...write, command: 'npm start' });
}

/** Returns the oldest tenant with its oldest team and its first owner. */
async function findHome(services: CliServices, known: Tenant[]): Promise<Home> {
  const [tenant] = known;
  if (tenant === undefined)
    throw new Error('the tenant from the first start was deleted; create one with "tenant create"');
  const [team] = await services.tenants.listTeams(tenant.id);
  if (team === undefined)
    throw new Error(`the tenant "${tenant.name}" has no team; create one with "team create"`);
  return { tenant, team, user: await resolveUser(services, tenant.id) };
}

async function makeKey({ keys, database }: CliServices, { tenant, user }: Home): Promise<string> {
  const tenantId = tenant.id;
  const input = {
    kind: 'personal' as const,
    tenantId,
    userId: user.id,
    name: 'First start',
    isFirst: true as const,
  };
  const { key, record } = await keys.createKey(input);
  await noteWrite(database, { action: 'api_key.create', made: { id: record.id }, tenantId, user });
  return key;
}

/** Returns a link that signs the Owner in; empty if the address of the console is not known. */
async function makeLink({ config, links, database }: CliServices, { tenant, user }: Home): Promise<string> {
  const address = consoleUrl(config);
  if (address === undefined) return '';
  const token = await links.make(user.id, 'sign_in');
  await noteWrite(database, { action: 'login_link.create', made: {}, tenantId: tenant.id, user });
  return signInAddress(address, token);
}

async function importDemo(services: CliServices, { tenant, team, user }: Home): Promise<void> {
  const actor = await resolveActor(services, tenant.id, String(user.id));
  const { story } = await services.stories.import(actor, {
    new_name: DEMO_STORY_NAME,
    data: DEMO_STORY,
    team_id: team.id,
    mode: 'versionReplace',
  });
  const made = { id: story.id, team_id: team.id };
  await noteWrite(services.database, { action: 'story.import', made, tenantId: tenant.id, user });
}

interface Found extends Home {
  apiKey: string;
  webhook: { path: string; secret: string } | undefined;
  consoleLink: string;
}

function seeded(config: Config, { tenant, team, user, apiKey, webhook, consoleLink }: Found): Seeded {
  const baseUrl = config.publicUrl ?? `http://${reachableHost(config.host)}:${config.port}`;
  return {
    base_url: baseUrl,
    tenant_id: tenant.id,
    team_id: team.id,
    user_email: user.email,
    api_key: apiKey,
    admin_user: config.adminUser ?? '',
    admin_password: config.adminPassword ?? '',
    demo_webhook_url:
      webhook === undefined ? '' : `${baseUrl}/webhook/${webhook.path}/${encodeURIComponent(webhook.secret)}`,
    console_url: consoleUrl(config) ?? '',
    console_link: consoleLink,
  };
}
