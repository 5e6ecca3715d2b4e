import Joi from 'joi';

/** Longest address: those of some chat servers have several hundred characters. */
export const MOST_ADDRESS_CHARACTERS = 1_000;
/** Most recipients of a story that are http or https addresses: each is told by itself. */
export const MOST_WEB_RECIPIENTS = 10;
const MOST_MAILBOX_CHARACTERS = 255;
const WEB = /^https?:/i;

const mailbox = Joi.string().email({ tlds: false }).max(MOST_MAILBOX_CHARACTERS);
const webAddress = Joi.string().uri({ scheme: ['http', 'https'] });

/** Returns true for an http or https address, false for that of a mailbox. */
export function isWebAddress(address: string): boolean {
  return WEB.test(address);
}

/** Returns true if both name the same recipient: letters of mailboxes may be large or small. */
export function isSameRecipient(one: string, other: string): boolean {
  return isWebAddress(one) ? one === other : one.toLowerCase() === other.toLowerCase();
}

/** An address of a mailbox, without a name beside it, or an http or https address that gets JSON. */
export const addressField = Joi.string()
  .trim()
  .max(MOST_ADDRESS_CHARACTERS)
  .custom((given: string, helpers) => {
    const isWeb = isWebAddress(given);
    if ((isWeb ? webAddress : mailbox).validate(given).error === undefined) return given;
    return helpers.error(isWeb ? 'string.uri' : 'string.email');
  });
