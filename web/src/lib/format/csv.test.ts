import { expect, test } from 'vitest'
import { csvOf } from './csv.ts'

test('quotes, commas and line breaks stay in their field', () => {
  expect(
    csvOf([
      ['a "b", c', 'd\ne'],
      [null, ''],
    ]),
  ).toBe('\uFEFF"a ""b"", c","d\ne"\r\n"",""\r\n')
})

test('no field is run as a formula', () => {
  expect(csvOf([['=1+1', '@x', '-1', 'plain']])).toBe('\uFEFF"\'=1+1","\'@x","\'-1","plain"\r\n')
})
