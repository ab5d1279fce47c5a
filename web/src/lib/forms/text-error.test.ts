import { anyRequiredText } from '@kinora/contract/text.ts'
import { errors } from '@kinora/contract/errors.ts'
import { wrong } from '@kinora/contract/field-errors.ts'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { textError } from './text-error.ts'

it('returns the message that the server would return', () => {
  const fits = (title: string) => Array.from(title).length <= 5
  const schema = anyRequiredText('Title').refine(fits, wrong(errors.tooLong, { label: 'Title', limit: 5 }))
  const text = fc.string({
    unit: fc.constantFrom(' ', 'a', 'z', 'é', '😀', '\u200b', '\u202e'),
    maxLength: 9,
  })
  fc.assert(
    fc.property(text, (title) => {
      const { error } = schema.safeParse(title)
      expect(textError('Title', title, 5)).toBe(error?.issues[0]?.message)
    }),
  )
})
