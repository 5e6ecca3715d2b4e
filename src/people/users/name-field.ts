import Joi from 'joi';

/**
 * At most 255 whole characters. Refuses half characters (lone surrogates): no database stores them, so the stored name
 * would differ.
 */
export const wholeTextField = Joi.string()
  .max(255)
  .pattern(/^\P{Cs}*$/u)
  .messages({ 'string.pattern.base': '{{#label}} must contain valid characters' });

/** One line of text: no control characters either. */
export const oneLineField = Joi.string()
  .max(255)
  .pattern(/^[^\p{Cc}\p{Cs}]*$/u)
  .messages({
    'string.pattern.base': '{{#label}} must be one line without control characters',
  });

/** A display name: one line, trimmed. */
export const nameField = oneLineField.trim();
