import { CaseTag, type Context, type Emitter, evalToken, toValue } from 'liquidjs';
import { equals } from './equality.js';

/** Liquid's `case`, with the comparison of our `==`. */
export class BoundedCaseTag extends CaseTag {
  override *render(context: Context, emitter: Emitter): Generator<unknown, void, unknown> {
    const { lenientIf } = context.opts;
    const { renderer } = this.liquid;
    const sought: unknown = toValue(yield this.value.value(context, lenientIf));
    for (const { values, templates } of this.branches) {
      for (const token of values) {
        if (yield equals(sought, yield evalToken(token, context, lenientIf), context)) {
          yield renderer.renderTemplates(templates, context, emitter);
          return;
        }
      }
    }
    yield renderer.renderTemplates(this.elseTemplates, context, emitter);
  }
}
