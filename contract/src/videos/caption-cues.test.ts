import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type Cue,
  cueTextOf,
  decodeCaptions,
  formatCueTime,
  formatVtt,
  parseCaptions,
  parseCueTime,
  plainTextOf,
  spokenTextOf,
} from './caption-cues.ts'

const shown = (text: string) =>
  parseCaptions(text).cues.map((cue) => `${cue.startSeconds}-${cue.endSeconds} ${cue.text}`)

describe('a file of captions', () => {
  it('is read as WebVTT', () => {
    const file = [
      'WEBVTT - with a title',
      'Kind: captions',
      '',
      'STYLE',
      '::cue { color: red }',
      '',
      'NOTE made by hand',
      '',
      'first',
      '00:01.000 --> 00:02.500 line:0 align:start nonsense:1',
      '<v Ines>Salt &amp; sun</v>',
      'two lines',
      '',
      '01:00:00.000 --> 01:00:01.000',
      'late',
    ].join('\n')
    expect(parseCaptions(file)).toEqual({
      cues: [
        {
          startSeconds: 1,
          endSeconds: 2.5,
          text: '<v Ines>Salt &amp; sun</v>\ntwo lines',
          settings: 'line:0 align:start',
        },
        { startSeconds: 3600, endSeconds: 3601, text: 'late', settings: '' },
      ],
      errors: [],
    })
  })

  it('is read as SubRip, with its habits', () => {
    const file = [
      '\uFEFF1',
      '00:00:03,500 --> 00:00:04,000 X1:40 X2:600',
      '{\\an8}<font color="#fff">1 < 2 & more</font>',
      '2',
      '00:00:01,5 --> 00:00:02,000',
      '<i>first</i>',
      '',
      '00:00:05.000 --> 00:00:06.000',
      'unnumbered, 1984',
      '1984',
      '',
      '',
    ].join('\r\n')
    expect(shown(file)).toEqual([
      '1.5-2 <i>first</i>',
      '3.5-4 1 &lt; 2 &amp; more',
      '5-6 unnumbered, 1984\n1984',
    ])
  })

  it('names the lines that are wrong', () => {
    const file = '1\n00:00:01,000 --> soon\na\n\nhello\n\n3\n00:00:05,000 --> 00:00:04,000\nb\n'
    expect(parseCaptions(file).errors).toEqual([
      { line: 2, problem: 'unreadableTime', text: '00:00:01,000 --> soon' },
      { line: 5, problem: 'noTime', text: 'hello' },
      { line: 8, problem: 'endsBeforeStart', text: '' },
    ])
  })

  it.each(['', 'WEBVTT', '\n\n', 'WEBVTT\n\nNOTE nothing\n'])('without captions is wrong: %j', (file) => {
    expect(parseCaptions(file).errors).toEqual([{ line: 1, problem: 'empty', text: '' }])
  })

  it('names the formats if it has another one', () => {
    expect(parseCaptions('[Script Info]\nTitle: x\n').errors[0]).toEqual({
      line: 1,
      problem: 'noFormat',
      text: '',
    })
  })

  it.each([
    ['an arrow in a text', '1\n00:00:01,000 --> 00:00:02,000\nA --> B\n', ['1-2 A --&gt; B']],
    ['no blank line after the signature', 'WEBVTT\n00:01.000 --> 00:02.000\na\n', ['1-2 a']],
    [
      'a cue without length',
      'WEBVTT\n\n00:01.000 --> 00:01.000\na\n\n00:01.000 --> 00:02.000\nb\n',
      ['1-2 b'],
    ],
  ])('may have %s', (_, file, cues) => {
    expect([shown(file), parseCaptions(file).errors]).toEqual([cues, []])
  })

  it('keeps the positions of SubRip', () => {
    const settings = [1, 2, 6, 8].map((at) => {
      const { cues } = parseCaptions(`1\n00:00:01,000 --> 00:00:02,000\n{\\an${at}}a\n`)
      return cues[0]?.settings
    })
    expect(settings).toEqual(['align:left', '', 'line:50% align:right', 'line:0'])
  })

  it('lists ten errors at most', () => {
    const file = `${'x\n\n'.repeat(5000)}00:00:01,000 --> 00:00:02,000\na\n`
    expect(parseCaptions(file).errors).toHaveLength(10)
  })

  it('is the same after it was written and read', () => {
    const line = fc.oneof(fc.string(), fc.constantFrom('a --> b', '<i>x</i>', 'NOTE', 'WEBVTT', '&lt;', '7'))
    const cue = fc
      .tuple(fc.nat(5e6), fc.integer({ min: 1, max: 9000 }), fc.array(line, { minLength: 1, maxLength: 3 }))
      .map(([from, length, lines]): Cue => {
        const text = cueTextOf(lines.join('\n')) || 'x'
        return { startSeconds: from / 1000, endSeconds: (from + length) / 1000, text, settings: '' }
      })
    fc.assert(
      fc.property(fc.array(cue, { minLength: 1 }), (cues) => {
        const ordered = cues.toSorted((a, b) => a.startSeconds - b.startSeconds)
        expect(parseCaptions(formatVtt(cues))).toEqual({ cues: ordered, errors: [] })
      }),
    )
  })

  it('of any text is read without an exception', () => {
    const part = fc.oneof(
      fc.string(),
      fc.constantFrom('\n', '\n\n', ' --> ', '00:01.000', 'WEBVTT\n\n', '1', 'NOTE'),
    )
    fc.assert(
      fc.property(fc.array(part), (parts) => {
        const { cues, errors } = parseCaptions(parts.join(''))
        expect(cues.length + errors.length).toBeGreaterThan(0)
      }),
    )
  })
})

describe('the text of a cue', () => {
  it('is edited without entities and with its tags', () => {
    expect(plainTextOf('<i>Salt &amp; sun</i> &lt;')).toBe('<i>Salt & sun</i> <')
    expect(cueTextOf('<i>Salt & sun</i> <\n\n <script>')).toBe('<i>Salt &amp; sun</i> &lt;\n&lt;script&gt;')
  })

  it('reads numeric and named entities, and keeps what is none', () => {
    expect(plainTextOf('It&#39;s &quot;x&quot; &#x1F41F;&rlm;')).toBe('It\'s "x" 🐟\u200f')
    expect(plainTextOf('&#0; &#xD800; &#9999999; &unknown; R&D')).toBe('&#0; \uFFFD &#9999999; &unknown; R&D')
    expect(cueTextOf(plainTextOf('&rlm;It&#39;s'))).toBe("\u200fIt's")
    expect(parseCaptions('1\n00:00:01,000 --> 00:00:02,000\nIt&#39;s &lt;b').cues[0]?.text).toBe("It's &lt;b")
  })

  it('is read from SubRip in linear time', () => {
    for (const unclosed of ['{\\', '<font ', '<', '&#1']) {
      const text = unclosed.repeat(2_000_000 / unclosed.length)
      expect(parseCaptions(`1\n00:00:01,000 --> 00:00:02,000\n${text}`).errors).toEqual([])
    }
  })

  it('is read without tags', () => {
    expect(spokenTextOf('<v Ines>Salt &amp;\nsun</v> <00:01.000>&lt;b&gt;')).toBe('Salt & sun <b>')
  })
})

it.each([
  ['1:02:03.4', 3723.4],
  ['62,5', 62.5],
  ['1:02', 62],
  ['', undefined],
  ['1:x', undefined],
  ['-3', undefined],
])('reads the time %j as %s', (text, seconds) => {
  expect(parseCueTime(text)).toBe(seconds)
})

it('writes times with milliseconds', () => {
  expect([3661.4, 0, 59.9996].map(formatCueTime)).toEqual(['01:01:01.400', '00:00:00.000', '00:01:00.000'])
})

it.each([
  ['UTF-8', Buffer.from('Grüße 夜景')],
  ['UTF-8 with a mark', Buffer.from('\uFEFFGrüße 夜景')],
  ['UTF-16LE', Buffer.from('\uFEFFGrüße 夜景', 'utf16le')],
  ['UTF-16BE', Buffer.from('\uFEFFGrüße 夜景', 'utf16le').swap16()],
  ['UTF-16LE without a mark', Buffer.from('Grüße 夜景', 'utf16le')],
  ['UTF-16BE without a mark', Buffer.from('Grüße 夜景', 'utf16le').swap16()],
])('detects %s', (_, bytes) => {
  expect(decodeCaptions(bytes)).toBe('Grüße 夜景')
})
