import { type AddressOptions, readAddressOptions } from './address-options.js';
import { takeTlsFiles, type TlsFiles, type TlsWish } from './tls-settings.js';

/** The options of a store's URL. */
export interface StoreAddressOptions {
  options: AddressOptions;
  files: TlsFiles;
  /** Converts a boolean option to a TLS wish; returns an empty wish if none of these names is given. */
  wish: (meaning: (value: boolean) => TlsWish, ...keys: string[]) => TlsWish;
}

/**
 * Returns what `read` makes of the options of a store's URL, and removes them from it. Every option is applied or refused:
 * none that asks for encryption is ignored (notes/stores.md, Addresses and accounts).
 * @throws AddressError that names an option which `read` did not read; `supported` is listed in the message.
 */
export function readStoreOptions<Found>(
  url: URL,
  supported: string,
  read: (given: StoreAddressOptions) => Found,
): Found {
  const options = readAddressOptions(url);
  const wish: StoreAddressOptions['wish'] = (meaning, ...keys) => {
    const value = options.flag(...keys);
    return value === undefined ? {} : meaning(value);
  };
  const found = read({ options, files: takeTlsFiles(options), wish });
  options.refuseRest(supported);
  url.search = '';
  return found;
}

/** Wish for TLS with or without verification of the certificate. */
export const verifiedTls = (rejectUnauthorized: boolean): TlsWish => ({ on: true, rejectUnauthorized });
/** Wish for TLS with or without verification of the certificate's host name. */
export const namedTls = (verifyIdentity: boolean): TlsWish => ({ on: true, verifyIdentity });
