import { EXAMPLE_EVENT, FILTER_DOCS, FUNCTIONS } from '../../language/face.js';
import type { JsonObject } from '../../platform/json.js';

/** Returns all functions of formulas, from the table that documents them. */
export function functionCatalogue(): JsonObject[] {
  return FUNCTIONS.map(({ name, family, takes, gives, example: [formula, result] }) => ({
    name,
    family,
    arguments: argumentsOf(takes),
    description: gives,
    example: { template: `=${formula}`, result },
  }));
}

/** Returns all filters of Liquid, from the table that documents them. */
export function filterCatalogue(): JsonObject[] {
  return FILTER_DOCS.map(({ name, family, takes, gives, example: [template, result] }) => ({
    name,
    family,
    arguments: argumentsOf(takes),
    description: gives,
    example: { template, result, event: eventOf(template) },
  }));
}

/** Reads `text, length?, more…`: a `?` marks an optional argument, `…` one that may be repeated. */
function argumentsOf(takes: string): JsonObject[] {
  const written = takes.split(',').map((name) => name.trim());
  return written
    .filter((name) => name !== '')
    .map((name) => ({
      name: name.replace(/[?…]+$/, ''),
      required: !/[?…]$/.test(name),
      repeats: name.endsWith('…'),
    }));
}

/** Returns the parts of the example event that the template names. */
function eventOf(template: string): JsonObject {
  const named = Object.entries(EXAMPLE_EVENT).filter(([name]) => new RegExp(`\\b${name}\\b`).test(template));
  return Object.fromEntries(named);
}
