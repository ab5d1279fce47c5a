import { expect, test } from 'vitest'
import { momentWith } from './rules.ts'

test.each([
  ['salt', 'A salt road'],
  ['SÁLT', 'A salt road'],
  ['road salt', 'A salt road'],
  ['roads', undefined],
  ['roa', undefined],
  ['farm', 'Farmers rest'],
  ['rest dawn', 'Farmers rest until dawn'],
  ['salt dawn', undefined],
  ['夜景', '大阪の夜景'],
  ['שלום', 'שָׁלוֹם'],
  ['की', 'की'],
  ['कि', undefined],
  ['.*', undefined],
  ['', undefined],
])('the moment for %j is %j', (term, text) => {
  const texts = ['A salt road', 'Farmers rest', 'until dawn', '大阪の夜景', 'שָׁלוֹם', 'का', 'की']
  const moment = momentWith(
    term,
    texts.map((each, startSeconds) => ({ text: each, startSeconds })),
  )
  expect(moment?.text).toBe(text)
})
