import Joi from 'joi';
import { parseIsoTime } from '../time/iso-time.js';

/** A time in any ISO 8601 form, read as a Date; without an offset it is UTC (spec §1.6). */
export const timeField = Joi.string()
  .custom((text: string, helpers) => parseIsoTime(text) ?? helpers.error('time.iso'))
  .messages({ 'time.iso': '{{#label}} must be an ISO 8601 time such as 2026-11-21T09:30:00Z' })
  .description('ISO 8601; without an offset it is UTC');
