import { expect, test } from 'vitest'
import { withTranslatedFailures } from './translated-failures.ts'

test('why an import failed is in the language of the page', async () => {
  const imports = [
    {
      _id: 'feed1',
      failure: 'There is no feed at this address',
      cause: { reason: 'feed_missing', params: {} },
    },
    { _id: 'feed2', failure: null, cause: null },
  ]
  expect(await withTranslatedFailures(imports, 'en')).toEqual(imports)
  expect(await withTranslatedFailures(imports, 'de')).toEqual([
    {
      _id: 'feed1',
      failure: 'Unter dieser Adresse gibt es keinen Feed',
      cause: { reason: 'feed_missing', params: {} },
    },
    { _id: 'feed2', failure: null, cause: null },
  ])
})
