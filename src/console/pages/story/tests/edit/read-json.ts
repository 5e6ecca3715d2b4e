import { jsonFormat } from '../../../../text/formats/json-format.js';
import { TextFault } from '../../../../text/formats/text-format.js';

/** Returns the value of a JSON text, or why it cannot be read and where. */
export function readJson(text: string): { value?: unknown; fault?: { message: string; at: number } } {
  try {
    return { value: jsonFormat.read(text).value };
  } catch (error) {
    if (!(error instanceof TextFault)) throw error;
    return { fault: { message: error.message, at: error.at } };
  }
}
