import { i18n } from '@lingui/core'
import { categories, categoryNames } from '@kinora/contract/videos/labels.ts'
import { expect, it } from 'vitest'
import { categoryLabels } from './category-labels.ts'

it('calls categories in English as feeds do', () => {
  for (const name of categoryNames) expect(i18n._(categoryLabels[name])).toBe(categories[name])
})
