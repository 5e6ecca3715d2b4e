import Joi from 'joi';

/** The colours that have names, as public clients name them. */
const NAMED = {
  purple: '#8D75E6',
  blue: '#4BBFFF',
  gold: '#F2C14E',
  green: '#6CCB7F',
  magenta: '#E574BC',
  red: '#FF8888',
  orange: '#FFA45C',
  mint: '#7ADFC3',
} as const;

/** The colour of a tag that was made without one. */
export const DEFAULT_COLOR = NAMED.purple;

const NAMES = Object.keys(NAMED);
const PATTERN = new RegExp(`^(?:#[0-9a-fA-F]{6}|${NAMES.join('|')})$`);

/** A colour in a body: one of the names, or `#RRGGBB`. */
export const colorField = Joi.string()
  .trim()
  .pattern(PATTERN)
  .empty(Joi.valid(null, ''))
  .messages({ 'string.pattern.base': `{{#label}} must be #RRGGBB or one of ${NAMES.join(', ')}` })
  .description(`\`#RRGGBB\`, or ${NAMES.join(', ')}`);

/** Returns a colour that `colorField` allows as `#RRGGBB`. */
export function hexOf(color: string): string {
  const named = NAMED[color as keyof typeof NAMED] as string | undefined;
  return named ?? color.toUpperCase();
}
