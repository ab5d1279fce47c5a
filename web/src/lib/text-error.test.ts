import { anyRequiredText } from '@kinora/contract/text.ts'
import { tooLongMessage } from '@kinora/contract/settings.ts'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { textError } from './text-error.ts'

it('says what the server would say', () => {
  const schema = anyRequiredText('Title').max(5, tooLongMessage('Title', 5))
  const text = fc.stringMatching(/^[ a-z\u00e9]{0,9}$/)
  fc.assert(
    fc.property(text, (title) => {
      const { error } = schema.safeParse(title)
      expect(textError('Title', title, 5)).toBe(error?.issues[0]?.message)
    }),
  )
})
