import { describe, expect, it } from 'vitest'
import { stepsBack } from './go-back.ts'

const history = (...pathnames: string[]) => pathnames.map((pathname, index) => ({ pathname, index }))
const from = (entries: ReturnType<typeof history>) =>
  stepsBack(entries, entries.at(-1) ?? { pathname: '', index: 0 }, '/notfound')

describe('stepsBack', () => {
  it('returns one step to the previous page', () => {
    expect(from(history('/', '/about', '/nope'))).toBe(1)
  })

  it('skips error screens and the failing page itself', () => {
    expect(from(history('/', '/notfound', '/notfound'))).toBe(2)
    expect(from(history('/about', '/nope', '/nope'))).toBe(2)
  })

  it('returns undefined without an earlier page of the site', () => {
    expect(from(history('/nope'))).toBeUndefined()
    expect(from(history('/notfound', '/notfound'))).toBeUndefined()
  })

  it('ignores later entries', () => {
    const entries = history('/nope', '/about')
    expect(stepsBack(entries, { pathname: '/nope', index: 0 }, '/notfound')).toBeUndefined()
  })
})
