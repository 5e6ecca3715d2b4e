import Joi from 'joi';

/**
 * At most 255 whole characters. Halves of characters (lone surrogates) are refused: no database keeps them, and others
 * would see another name.
 */
export const wholeText = Joi.string()
  .max(255)
  .pattern(/^\P{Cs}*$/u)
  .messages({ 'string.pattern.base': '{{#label}} must be of whole characters' });

/** One line of text: no control characters either. */
export const oneLine = Joi.string()
  .max(255)
  .pattern(/^[^\p{Cc}\p{Cs}]*$/u)
  .messages({
    'string.pattern.base': '{{#label}} must be one line of whole characters: no control characters',
  });

/** A name that people see: one line, blanks around it removed. */
export const nameField = oneLine.trim();
