import type { Command } from 'commander';
import { LINK_MINUTES, signInAddress } from '../../../../people/face.js';
import { type Config, consoleUrl } from '../../../../config/face.js';
import type { Cli } from '../../cli.js';
import { readCredentials } from '../../credentials-file.js';
import { resolveTenant, resolveUser } from '../../stores/cli-services.js';

/** `login-link`: makes a link by which a person signs in to the console once. */
export function addLoginLinkCommand(program: Command, cli: Cli): void {
  program
    .command('login-link')
    .description('create a single-use link that signs a user in to the console')
    .option('--user <user>', 'id or e-mail address (default: the first owner)')
    .option('--tenant <tenant>', 'id or name (default: the only one)')
    .action(
      cli.writeAction(
        'login_link.create',
        async (services, { tenant: wanted, user: named }: { tenant?: string; user?: string }) => {
          const { config, links } = services;
          const tenant = await resolveTenant(services, wanted);
          const user = await resolveUser(services, tenant.id, named);
          const link = signInAddress(consoleOf(config), await links.make(user.id, 'sign_in'));
          const minutes = LINK_MINUTES.sign_in;
          return {
            json: { user_id: user.id, user_email: user.email, link, minutes },
            text: `${link}\nSigns ${user.email} in once; expires in ${minutes} minutes.`,
            wrote: [{ tenantId: tenant.id, user }],
          };
        },
      ),
    );
}

/** Returns the address of the console: that of the `npm start` on `DATA_DIR`, which may have chosen the port. */
function consoleOf(config: Config): string {
  const started = config.adminOrigin === undefined && readCredentials(config.dataDir)?.console_url;
  return started || (consoleUrl(config) ?? '/console/');
}
