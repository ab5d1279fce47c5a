import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { growthOf } from '../../../scripts/growth.ts'
import { textParts } from './text-parts.ts'

const kinds = (text: string, duration = 600) =>
  textParts(text, duration)
    .filter((part) => part.kind !== 'text')
    .map((part) => {
      if (part.kind === 'time') return part.seconds
      if (part.kind === 'link') return part.href
      return part.kind === 'tag' ? `#${part.tag}` : `@${part.name}`
    })

describe('written text', () => {
  it.each([
    ['at 7:06 it turns', [426]],
    ['00:00 start, 09:59 end', [0, 599]],
    ['11:00 is beyond the end', []],
    ['1:00:00', []],
    ['a 16:9 picture', []],
    ['ratio 1:75', []],
    ['12:30:45:99 and 1.2:30', []],
    ['(0:12)', [12]],
    ['#Salt and #time-lapse, #日本.', ['#salt', '#time-lapse', '#日本']],
    ['No #1, a#b, &#39; or ##twice', []],
    ['@Ines, (@jonas2)', ['@ines', '@jonas2']],
    ['ines@example.org, @under_score or @@twice', []],
    ['https://kinora.example/@ines', ['https://kinora.example/@ines']],
    ['https://kinora.example/#part', ['https://kinora.example/#part']],
  ])('%s', (text, found) => {
    expect(kinds(text)).toEqual(found)
  })

  it('supports hours in timestamps of long videos', () => {
    expect(kinds('1:02:03', 4000)).toEqual([3723])
  })

  it.each([
    ['see https://example.org/a?b=c&d#e.', ['https://example.org/a?b=c&d#e']],
    ['(https://example.org/x_(y))', ['https://example.org/x_(y)']],
    ['<http://example.org>', ['http://example.org']],
    ['javascript:alert(1) ftp://x', []],
    ['https://', []],
    ['https://example.org/1:30', ['https://example.org/1:30']],
  ])('%s', (text, found) => {
    expect(kinds(text)).toEqual(found)
  })

  it('preserves the complete text', () => {
    const pieces = fc.constantFrom(
      'https://a.org/',
      '1:23',
      ' ',
      '(',
      ')',
      '.',
      'word',
      '\n',
      '🎞️',
      ':',
      '99:59',
    )
    fc.assert(
      fc.property(fc.array(fc.oneof(pieces, fc.string())), (words) => {
        const text = words.join('')
        expect(
          textParts(text, 600)
            .map((part) => part.text)
            .join(''),
        ).toBe(text)
      }),
    )
  })

  it.each([
    'http://a)',
    'http://a(',
    'http://a.',
    'http://a.)',
    ' http://',
    '#-',
    ' #_-_-',
    '@a_',
    ' @aaaa',
    '1:',
    '0:00 ',
  ])('is read in linear time, however often it has %s', (unit) => {
    const [start = '', repeated = unit] = unit.startsWith('http://a') ? ['http://a', unit.slice(8)] : []
    for (const end of ['', 'x']) {
      const textOf = (length: number) => start + repeated.repeat(length / repeated.length) + end
      expect(growthOf(textOf, (text) => textParts(text, 3600), 10_000)).toBeLessThan(3)
    }
  })
})
