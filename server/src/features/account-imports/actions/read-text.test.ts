import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { ZipFile } from '../../../platform/files/zip-file.ts'
import { zipOf } from '../../../testing/fixtures/test-imports.ts'
import { flatMapInSlices, readCsv, readJsonRows } from './read-text.ts'

/** How often the event loop turns while something is done. */
async function turnsDuring(work: Promise<unknown>): Promise<number> {
  let turns = 0
  let isOver = false
  const turn = () => {
    turns += 1
    if (!isOver) setImmediate(turn)
  }
  setImmediate(turn)
  await work
  isOver = true
  return turns
}

test('lets other work go on while it reads a long table', async () => {
  const bytes = Buffer.from(`Video ID,Title\n${'abc,A title\n'.repeat(200_000)}`)
  const reading = readCsv(bytes)
  expect(await turnsDuring(reading)).toBeGreaterThan(20)
  expect(await reading).toHaveLength(200_000)
})

test('lets other work go on while it maps a long list', async () => {
  const items = Array.from({ length: 50_000 }, (_, index) => index)
  const mapping = flatMapInSlices(items, (item, index) => (item % 2 === 0 ? [item + index] : []))
  expect(await turnsDuring(mapping)).toBeGreaterThan(20)
  expect(await mapping).toEqual(items.filter((item) => item % 2 === 0).map((item) => 2 * item))
})

test('reads a list of 40 MB that has a row on each line', async () => {
  const rows = Array.from({ length: 4000 }, (_, id) => ({ id, content: 'å\n'.repeat(2500) }))
  const text = `[\n${rows.map((row) => JSON.stringify(row)).join(',\n')}\n]\n`
  const directory = await mkdtemp(path.join(tmpdir(), 'kinora-list-'))
  onTestFinished(() => rm(directory, { recursive: true }))
  const file = path.join(directory, 'archive.zip')
  await writeFile(file, await zipOf({ 'lines.json': text, 'one-line.json': text.replaceAll('\n', ' ') }))
  using zip = await ZipFile.open(file)
  expect(await readJsonRows(zip, 'lines.json')).toEqual(rows)
  await expect(readJsonRows(zip, 'one-line.json')).rejects.toThrow('one-line.json is too large')
})

test('reads texts that PostgreSQL can store from a table', async () => {
  expect(await readCsv(Buffer.from('\uFEFFa,b\n"1\0","x\ny"\n'))).toEqual([{ a: '1', b: 'x\ny' }])
})

test('rejects a table with too many rows', async () => {
  await expect(readCsv(Buffer.from('a\n1\n2\n3\n'), 2)).rejects.toMatchObject({
    code: 'invalid',
    message: 'Lists may have at most 500,000 rows together',
  })
  expect(await readCsv(Buffer.from('a\n1\n2\n'), 2)).toHaveLength(2)
})

test('rejects what is no table', async () => {
  await expect(readCsv(Buffer.from('a,b\n"1'))).rejects.toMatchObject({ code: 'invalid' })
})
