import { expect, it } from 'vitest'
import { filtersOf, paramsOf } from './search-filters.ts'

it.each([
  ['', {}],
  ['sort=relevance', {}],
  ['sort=views&length=long&published=week', { sort: 'views', length: 'long', published: 'week' }],
  ['category=music&captions=true', { category: 'music', captions: 'true' }],
  ['language=de', { language: 'de' }],
  ['language=German', {}],
  ['sort=best&length=&published=never&category=x&captions=false', {}],
])('the filters of the address ?%s', (query, filters) => {
  expect(filtersOf(new URLSearchParams(query))).toEqual(filters)
})

it('writes the filters into an address', () => {
  expect(paramsOf({ sort: 'relevance', length: 'long', captions: undefined })).toEqual([['length', 'long']])
})
