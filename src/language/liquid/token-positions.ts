import { Token } from 'liquidjs';
import { positionsIn } from '../values/position.js';

/** The text that was asked about last: all tokens of a template are of one. */
let lines: { input: string; positionOf: ReturnType<typeof positionsIn> } = {
  input: '',
  positionOf: positionsIn(''),
};

/**
 * Has liquidjs find line and column of a token without reading the template from its start each time: looking
 * for the variables of a template of 40,000 characters took seconds.
 */
export function speedUpTokenPositions(): void {
  Token.prototype.getPosition = function (this: Token): [number, number] {
    if (lines.input !== this.input) lines = { input: this.input, positionOf: positionsIn(this.input) };
    const { line, column } = lines.positionOf(this.begin);
    return [line, column];
  };
}
