import { type AddressOptions, readAddressOptions } from './address-options.js';
import { takeTlsFiles, type TlsFiles, type TlsWish } from './tls-settings.js';

/** What is read from the options of a store's address. */
export interface StoreOptions {
  options: AddressOptions;
  files: TlsFiles;
  /** What a yes or a no says of TLS; nothing where none of these names is given. */
  wish: (meaning: (value: boolean) => TlsWish, ...keys: string[]) => TlsWish;
}

/**
 * What `read` makes of the options of a store's address, which has none any more then. Every option is honoured or refused:
 * none that asks for encryption is passed over (decision 0033).
 * @throws AddressError that names an option which `read` did not take; `supported` is what the message lists.
 */
export function readStoreOptions<Found>(
  url: URL,
  supported: string,
  read: (given: StoreOptions) => Found,
): Found {
  const options = readAddressOptions(url);
  const wish: StoreOptions['wish'] = (meaning, ...keys) => {
    const value = options.flag(...keys);
    return value === undefined ? {} : meaning(value);
  };
  const found = read({ options, files: takeTlsFiles(options), wish });
  options.refuseRest(supported);
  url.search = '';
  return found;
}

/** TLS, with a certificate that is verified or not. */
export const verifiedTls = (rejectUnauthorized: boolean): TlsWish => ({ on: true, rejectUnauthorized });
/** TLS, with a certificate that must be of the host, or of any. */
export const namedTls = (verifyIdentity: boolean): TlsWish => ({ on: true, verifyIdentity });
