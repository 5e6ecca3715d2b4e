/** The language of every date and number, as that of the pages: English, with 24 hours. */
export const LOCALE = 'en-GB';
