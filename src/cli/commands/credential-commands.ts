import type { Command } from 'commander';
import { type Rotation, rotateCredentials } from '../../credentials/key-rotation.js';
import type { Cli } from '../cli.js';
import { readValue, type ValueOptions } from '../cli-io.js';
import { resolveTeam, resolveTenant } from '../cli-services.js';

/** Of credentials that cannot be decrypted. */
const MAX_NAMED = 10;

interface SetOptions extends ValueOptions {
  tenant?: string;
  team?: string;
}

/** `credential set|rotate-key`. */
export function addCredentialCommands(program: Command, cli: Cli): void {
  const credential = program
    .command('credential')
    .description('secrets of a team, stored encrypted under ENCRYPTION_KEY');
  addSet(credential, cli);
  addRotateKey(credential, cli);
}

function addSet(credential: Command, cli: Cli): void {
  credential
    .command('set')
    .description(
      'make a credential, or give it a new value; without an option the value is read from standard input',
    )
    .argument('<name>', 'its name')
    .option('--value <value>', 'the secret; other users of the machine may see it in the list of processes')
    .option('--value-file <file>', 'file that holds the secret')
    .option('--team <team>', 'id or name (default: the only one)')
    .option('--tenant <tenant>', 'id or name (default: the only one)')
    .action(
      cli.action(async (services, options: SetOptions, [name = '']) => {
        const tenant = await resolveTenant(services, options.tenant);
        const team = await resolveTeam(services, tenant.id, options.team);
        const set = await services.credentials.set(team.id, name, await readValue(cli.io, options));
        return {
          json: { ...set, team_id: team.id },
          text: `Credential "${set.name}" of the team "${team.name}" is set.`,
        };
      }),
    );
}

function addRotateKey(credential: Command, cli: Cli): void {
  credential
    .command('rotate-key')
    .description(
      'encrypt every credential under ENCRYPTION_KEY that still is under one of ENCRYPTION_KEY_PREVIOUS; may be run again at any time',
    )
    .action(
      cli.action(async ({ credentials, database }) => {
        const { rotated, current, unreadable } = await rotateCredentials(database, credentials.cipher());
        if (unreadable.length > 0) throw new Error(unreadableMessage(rotated, unreadable));
        const text = `${rotated} credentials were encrypted again; ${current} were under this key already.`;
        return { json: { rotated, current }, text };
      }),
    );
}

function unreadableMessage(rotated: number, unreadable: Rotation['unreadable']): string {
  const named = unreadable.slice(0, MAX_NAMED).map(({ name, teamId }) => `"${name}" of team ${teamId}`);
  const more = unreadable.length > MAX_NAMED ? ', …' : '';
  return (
    `${rotated} credentials were encrypted again, but ${unreadable.length} cannot be decrypted with the keys given` +
    ` (${named.join(', ')}${more}); name their key in ENCRYPTION_KEY_PREVIOUS, or set them again`
  );
}
