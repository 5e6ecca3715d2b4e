import type { Command } from 'commander';
import { INSTANCE } from '../../../../people/face.js';
import {
  adoptKey,
  replaceKeyFingerprint,
  requireKnownKey,
  rotateCredentials,
  type Rotation,
} from '../../../../data/face.js';
import type { Cli } from '../../cli.js';
import { readValue, type ValueOptions } from '../../cli-io.js';
import { type CliServices, resolveTeam, resolveTenant } from '../../stores/cli-services.js';

/** Maximum number of credentials named in the error. */
const MAX_NAMED = 10;

interface SetOptions extends ValueOptions {
  tenant?: string;
  team?: string;
  allowedHosts?: string;
}

/** `credential set|rotate-key|accept-key`. */
export function addCredentialCommands(program: Command, cli: Cli): void {
  const credential = program
    .command('credential')
    .description('manage team secrets, encrypted with ENCRYPTION_KEY');
  addSet(credential, cli);
  addRotateKey(credential, cli);
  addAcceptKey(credential, cli);
}

function addSet(credential: Command, cli: Cli): void {
  credential
    .command('set')
    .description(
      'create a credential or change its value; without an option, the value is read from standard input',
    )
    .argument('<name>', 'its name')
    .option('--value <value>', 'the secret; visible to other users of this machine in the process list')
    .option('--value-file <file>', 'file containing the secret')
    .option(
      '--allowed-hosts <hosts>',
      'comma-separated hosts it may be sent to: api.example.com, *.example.com, api.example.com:8443; "" for any host (default: unchanged)',
    )
    .option('--team <team>', 'id or name (default: the only one)')
    .option('--tenant <tenant>', 'id or name (default: the only one)')
    .action(
      cli.writeAction('credential.set', async (services, options: SetOptions, [name = '']) => {
        const tenant = await resolveTenant(services, options.tenant);
        const team = await resolveTeam(services, tenant.id, options.team);
        const value = await readValue(cli.io, options);
        await services.database.read((session) => requireKnownKey(session, services.credentials.cipher()));
        const set = await services.credentials.set(team.id, name, value, hostsIn(options.allowedHosts));
        const hosts = await services.credentials.hostsOf(team.id, set.name);
        return {
          json: { ...set, team_id: team.id, ...(hosts.length > 0 && { allowed_hosts: hosts }) },
          text: `Credential "${set.name}" of the team "${team.name}" is set${whereTo(hosts)}.`,
          wrote: [{ tenantId: tenant.id }],
        };
      }),
    );
}

function hostsIn(list: string | undefined): string[] | undefined {
  return list
    ?.split(',')
    .map((host) => host.trim())
    .filter((host) => host !== '');
}

function whereTo(hosts: string[]): string {
  return hosts.length === 0 ? '; it may be sent to any host' : `, for ${hosts.join(', ')}`;
}

function addRotateKey(credential: Command, cli: Cli): void {
  credential
    .command('rotate-key')
    .description(
      're-encrypt credentials that use a key from ENCRYPTION_KEY_PREVIOUS with ENCRYPTION_KEY; safe to repeat',
    )
    .action(
      cli.writeAction('credential.rotate_key', async ({ credentials, database, mailSettings, tenants }) => {
        const teamIds = new Set<number>();
        const note = (teamId: number) => void teamIds.add(teamId);
        const { rotated, current, unreadable } = await rotateCredentials(
          database,
          credentials.cipher(),
          note,
        );
        const servers = await mailSettings.rotate();
        await database.read((session) => adoptKey(session, credentials.cipher()));
        const text = `Re-encrypted ${rotated} credentials; ${current} already used this key.${mailServersText(servers)}`;
        return {
          json: { rotated, current },
          text,
          wrote: await tenantsOf(tenants, teamIds),
          ...failureOf([
            ...(unreadable.length > 0 ? [unreadableMessage(rotated, unreadable)] : []),
            ...servers.unreadable.map(
              (id) => `the mail server of tenant ${id} cannot be decrypted; set it again`,
            ),
          ]),
        };
      }),
    );
}

function addAcceptKey(credential: Command, cli: Cli): void {
  credential
    .command('accept-key')
    .description('accept ENCRYPTION_KEY as the key of this database, although stored data uses another key')
    .action(
      cli.writeAction('credential.accept_key', async ({ credentials, database }) => {
        const cipher = credentials.cipher();
        await database.read((session) => replaceKeyFingerprint(cipher.fingerprint, session));
        const { fingerprint } = cipher;
        return {
          json: { fingerprint },
          text: `This database now uses the key ${fingerprint}.`,
          wrote: [{ tenantId: INSTANCE }],
        };
      }),
    );
}

function mailServersText({ rotated }: { rotated: number }): string {
  return rotated === 0 ? '' : ` Re-encrypted ${rotated} tenant mail servers.`;
}

function failureOf(messages: string[]): { failure?: string } {
  return messages.length === 0 ? {} : { failure: messages.join('; ') };
}

/** Returns the tenants of these teams, each once. */
async function tenantsOf(
  tenants: CliServices['tenants'],
  teamIds: ReadonlySet<number>,
): Promise<{ tenantId: number }[]> {
  const ids = new Set<number>();
  for (const teamId of teamIds) ids.add((await tenants.getTeam(teamId)).tenantId);
  return [...ids].map((tenantId) => ({ tenantId }));
}

function unreadableMessage(rotated: number, unreadable: Rotation['unreadable']): string {
  const named = unreadable.slice(0, MAX_NAMED).map(({ name, teamId }) => `"${name}" of team ${teamId}`);
  const more = unreadable.length > MAX_NAMED ? ', …' : '';
  return `re-encrypted ${rotated} credentials, but ${unreadable.length} cannot be decrypted with the given keys (${named.join(', ')}${more}); add their key to ENCRYPTION_KEY_PREVIOUS, or set them again`;
}
