import { AddressError } from './address-options.js';

/** Options that the mail client reads from the URL, by their exact names; true: a boolean option. */
const OPTIONS: Readonly<Record<string, boolean>> = {
  requireTLS: true,
  ignoreTLS: true,
  opportunisticTLS: true,
  name: false,
  authMethod: false,
  'tls.rejectUnauthorized': true,
  'tls.servername': false,
  'tls.minVersion': false,
  'tls.ciphers': false,
};

/**
 * Refuses options that the mail client would ignore in `SMTP_URL`: mails must not be sent unencrypted because an option
 * is spelt as elsewhere (notes/stores.md, Addresses and accounts).
 * @throws AddressError that names the option.
 */
export function checkSmtpAddress(text: string): void {
  const { searchParams } = new URL(text);
  for (const [name, value] of searchParams) {
    const isFlag = OPTIONS[name];
    if (isFlag === undefined || !Object.hasOwn(OPTIONS, name)) {
      const hint = /^(secure|ssl|tls)$/i.test(name) ? '; for TLS use smtps:// or requireTLS=true' : '';
      throw new AddressError(
        `has the option "${name}", which is not supported${hint}; supported: ${Object.keys(OPTIONS).join(', ')}`,
      );
    }
    if (isFlag && value !== 'true' && value !== 'false') {
      throw new AddressError(`has "${name}", which must be true or false`);
    }
    if (searchParams.getAll(name).length > 1) throw new AddressError(`has the option "${name}" twice`);
  }
  const wantsTls = searchParams.get('requireTLS') === 'true';
  if (wantsTls && searchParams.get('ignoreTLS') === 'true') {
    throw new AddressError('both asks for TLS and disables it');
  }
}
