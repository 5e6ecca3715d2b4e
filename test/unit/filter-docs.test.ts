import { EXAMPLE_EVENT, FILTER_DOCS } from '../../src/language/filters/docs/all-filter-docs.js';
import { FILTERS } from '../../src/language/filters/all-filters.js';
import { argumentFaults } from '../../src/language/filters/argument-counts.js';
import { createLiquidLanguage } from '../../src/language/liquid/liquid-language.js';
import { filterCatalogue } from '../../src/stories/catalogue/template-catalogue.js';
import { templateScope } from '../support/template-scope.js';

const liquid = createLiquidLanguage();

describe('the documentation of filters', () => {
  it('has every filter once', () => {
    expect(FILTER_DOCS.map(({ name }) => name).toSorted()).toEqual(Object.keys(FILTERS).toSorted());
  });

  it.each(FILTER_DOCS.map(({ name, example: [template, result] }) => ({ name, template, result })))(
    '$template',
    ({ name, template, result }) => {
      expect(template).toMatch(new RegExp(`\\| ${name}\\b`));
      expect(liquid.check(template)).toEqual([]);
      expect(liquid.render(template, templateScope(EXAMPLE_EVENT), { asValue: true })).toEqual(result);
    },
  );

  it.each(FILTER_DOCS)('names as many arguments of $name as a call of it may have', ({ name, takes }) => {
    const faultOf = argumentFaults(name);
    const names = takes.split(',').filter((each) => each.trim() !== '');
    const fewest = names.filter((each) => !each.trim().endsWith('?')).length;
    expect(faultOf(names)).toBeUndefined();
    expect(faultOf(names.slice(0, fewest))).toBeUndefined();
  });

  it('shows the part of the event that an example refers to', () => {
    const shown = filterCatalogue().find(({ name }) => name === 'get');
    expect(shown).toMatchObject({ example: { event: { claims: { sub: 'ada' } } } });
  });
});
