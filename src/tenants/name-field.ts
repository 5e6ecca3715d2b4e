import Joi from 'joi';

/** A name that people see: one line of at most 255 characters, blanks around it removed. */
export const nameField = Joi.string()
  .trim()
  .max(255)
  .pattern(/^\P{Cc}*$/u, 'a text without control characters');
