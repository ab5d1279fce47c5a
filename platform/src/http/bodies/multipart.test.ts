import fc from 'fast-check'
import { expect, test } from 'vitest'
import { boundaryOf, MalformedForm, MultipartParser } from './multipart.ts'

interface Part {
  name: string
  filename: string | undefined
  content: string
}

/** Parses a body that arrives in chunks. */
function divide(chunks: Buffer[], boundary = 'x-kinora'): Part[] {
  const parts: Part[] = []
  const parser = new MultipartParser(boundary, ({ name, filename }) => {
    const part = { name, filename, content: '' }
    return {
      write: (bytes) => void (part.content += bytes.toString('latin1')),
      end: () => void parts.push(part),
    }
  })
  for (const chunk of chunks) parser.push(chunk)
  parser.end()
  return parts
}

const bytes = (text: string) => Buffer.from(text, 'latin1')
const head = (name: string, filename?: string) =>
  `Content-Disposition: form-data; name="${name}"${filename === undefined ? '' : `; filename="${filename}"`}`
const bodyOf = (parts: Part[]) =>
  parts
    .map(({ name, filename, content }) => `--x-kinora\r\n${head(name, filename)}\r\n\r\n${content}\r\n`)
    .join('') + '--x-kinora--\r\n'

/** Bytes that look like the start of a delimiter. */
const content = fc
  .array(
    fc.oneof(
      fc.constantFrom('\r', '\n', '\r\n', '\r\n--', '\r\n--x-kino', '--', '-'),
      fc.string({ maxLength: 9 }),
    ),
    {
      maxLength: 12,
    },
  )
  .map((pieces) => pieces.join('').replaceAll(/[^\0-\xff]/g, ''))
  .filter((text) => !`\r\n${text}\r\n`.includes('\r\n--x-kinora'))

test('returns the same parts for every division into chunks', () => {
  const part = fc.record({
    name: fc.constantFrom('title', 'video', 'a b', '__proto__'),
    filename: fc.constantFrom(undefined, '', 'video.mp4'),
    content,
  })
  fc.assert(
    fc.property(fc.array(part, { maxLength: 4 }), fc.array(fc.nat(400), { maxLength: 20 }), (parts, cuts) => {
      const body = bytes(`preamble\r\n${bodyOf(parts)}epilogue`)
      const ends = [...cuts, body.length].toSorted((a, b) => a - b)
      expect(divide(ends.map((end, n) => body.subarray(ends[n - 1] ?? 0, end)))).toEqual(parts)
    }),
    { numRuns: 500 },
  )
})

test('parses a body byte by byte', () => {
  const parts = [{ name: 'video', filename: 'v', content: 'a\r\n--x-kinor\r\r\n--x-kinor' }]
  expect(divide(Array.from(bytes(bodyOf(parts)), (byte) => Buffer.of(byte)))).toEqual(parts)
})

test.each([
  ['form-data; name=plain', { name: 'plain', filename: undefined }],
  ['form-data; NAME="a \\"quoted\\" one"', { name: 'a "quoted" one', filename: undefined }],
  ['form-data; name="v"; filename="C:\\videos\\dune.mp4"', { name: 'v', filename: 'dune.mp4' }],
  ['form-data; filename="../../etc/passwd"; name="v"', { name: 'v', filename: 'passwd' }],
  ["form-data; name=v; filename*=utf-8''d%C3%BCne.mp4", { name: 'v', filename: "utf-8''d%C3%BCne.mp4" }],
  ['form-data; name="first"; name="second"', { name: 'first', filename: undefined }],
  ['form-data; name="v"\r\nContent-Type: application/octet-stream', { name: 'v', filename: '' }],
  ['form-data; name="v"; filename="a\\"', { name: 'v', filename: '' }],
  ['form-data; filename="a\\"; name="v"', { name: 'v', filename: '' }],
  ['form-data; filename="say "hi".mp4"; name="v"', { name: 'v', filename: 'say "hi".mp4' }],
  ['form-data; filename="a;b=c.mp4"; name="v"', { name: 'v', filename: 'a;b=c.mp4' }],
  ['form-data; filename="two\r\nlines.mp4"; name="v"', { name: 'v', filename: 'two\r\nlines.mp4' }],
  ['form-data; filename=two words.mp4; name=v', { name: 'v', filename: 'two words.mp4' }],
  ['form-data; filename=""; name="v"', { name: 'v', filename: '' }],
  ['form-data;; name="v";', { name: 'v', filename: undefined }],
])('%s', (disposition, expected) => {
  const body = bytes(`--x-kinora\r\nContent-Disposition: ${disposition}\r\n\r\nx\r\n--x-kinora--`)
  expect(divide([body])).toEqual([{ ...expected, content: 'x' }])
})

/** Escapes a file name as browsers do. */
const asBrowsersDo = (name: string) =>
  name.replaceAll('\n', '%0A').replaceAll('\r', '%0D').replaceAll('"', '%22')

test('round-trips any file name', () => {
  const name = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 30 }),
    fc.constantFrom('a\u2028b.mp4', 'a\u2029.mp4', '\u2028', 'a\0b', '\\', '"', ';', '; name="x"', 'ü 東 😀'),
  )
  fc.assert(
    fc.property(name, name, (before, filename) => {
      const disposition = `form-data; name="video"; filename="${asBrowsersDo(before + filename)}"`
      const form = `--x-kinora\r\nContent-Disposition: ${disposition}\r\nContent-Type: video/mp4\r\n\r\nx\r\n--x-kinora--`
      const [part] = divide([Buffer.from(form)])
      expect(part).toMatchObject({ name: 'video', filename: expect.any(String), content: 'x' })
    }),
    { numRuns: 500 },
  )
})

test('parses an empty body as a form without parts', () => {
  expect(divide([])).toEqual([])
  expect(divide([bytes('--x-kinora--')])).toEqual([])
})

test.each([
  ['an end in the middle of a part', `--x-kinora\r\n${head('a')}\r\n\r\nhalf`],
  ['an end in the middle of a delimiter', `--x-kinora\r\n${head('a')}\r\n\r\nhalf\r\n--x-kin`],
  ['an end without the last delimiter', `--x-kinora\r\n${head('a')}\r\n\r\nwhole\r\n--x-kinora\r\n`],
  ['no delimiter', 'title=Dune'],
  ['something behind a delimiter', `--x-kinora and more\r\n${head('a')}\r\n\r\nx\r\n--x-kinora--`],
  ['a part without a name', '--x-kinora\r\nContent-Disposition: form-data\r\n\r\nx\r\n--x-kinora--'],
  ['a part without a head', '--x-kinora\r\n\r\nx\r\n--x-kinora--'],
  [
    'a part that is none of a form',
    '--x-kinora\r\nContent-Disposition: attachment; name="a"\r\n\r\nx\r\n--x-kinora--',
  ],
  ['a head without an end', `--x-kinora\r\n${'X: y\r\n'.repeat(10_000)}`],
  ['a line without an end', `--x-kinora${' '.repeat(1000)}`],
])('refuses %s', (_, body) => {
  expect(() => divide([bytes(body)])).toThrow(MalformedForm)
})

test.each([
  ['multipart/form-data; boundary=abc', 'abc'],
  ['Multipart/Form-Data;charset=utf-8; Boundary="a b"', 'a b'],
  ['multipart/form-data; boundary=', undefined],
  ['multipart/form-data; boundary="', undefined],
  ['multipart/form-data', undefined],
  ['multipart/mixed; boundary=abc', undefined],
  [undefined, undefined],
])('reads the boundary of %s as %s', (type, expected) => {
  expect(boundaryOf(type)).toBe(expected)
})
