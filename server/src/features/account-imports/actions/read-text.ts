import { pipeline } from 'node:stream/promises'
import { setImmediate as afterOtherEvents } from 'node:timers/promises'
import { parse } from 'csv-parse'
import { z } from 'zod'
import { AppError } from '../../../platform/errors.ts'
import type { ZipFile } from '../../../platform/files/zip-file.ts'
import { parseStorableJson, storable } from '../rules.ts'

/** Largest text file of an archive: a history of 150,000 videos. `JSON.parse` stops the worker for half a second. */
export const textMaxBytes = 32 * 1024 ** 2

/** Largest file of a list, which is parsed row by row. Exports before 0.3 have a single file for each list. */
const listMaxBytes = 128 * 1024 ** 2

/** Most rows of the CSV files of an archive together. Rows in memory take many times the bytes of short lines. */
export const csvMaxRows = 500_000

const rowsPerSlice = 1000
const csvBytesPerSlice = 64 * 1024

/** A JSON file of an archive. Throws `invalid` if it is missing, or does not follow the schema. */
export async function readJson<Schema extends z.ZodType>(
  zip: ZipFile,
  name: string,
  schema: Schema,
  upgrade: (value: unknown) => unknown = (value) => value,
): Promise<z.output<Schema>> {
  const bytes = await zip.read(name, textMaxBytes)
  if (!bytes) throw new AppError('invalid', `The archive lacks ${name}. Export it again.`)
  const parsed = schema.safeParse(upgrade(parseStorableJson(bytes.toString())))
  if (!parsed.success) throw new AppError('invalid', `${name} is not valid. Export the archive again.`)
  return parsed.data
}

/**
 * The rows of a JSON array, which may have 128 MiB with a row on each line, as in exports, and otherwise `textMaxBytes`. Lets
 * the worker do other work in between. Throws `invalid` if it is missing, larger, or no array.
 */
export async function readJsonRows(zip: ZipFile, name: string): Promise<unknown[]> {
  const sizeBytes = zip.sizeOf(name) ?? 0
  const bytes = sizeBytes > textMaxBytes ? await zip.read(name, listMaxBytes) : undefined
  if (!bytes) return readJson(zip, name, z.array(z.unknown()))
  const rows: unknown[] = []
  for (let start = 0, end; start < bytes.length; start = end + 1) {
    const newline = bytes.indexOf('\n', start)
    end = newline === -1 ? bytes.length : newline
    const line = end - start > textMaxBytes ? '' : bytes.toString('utf8', start, end)
    if ((line === '[' && start === 0) || line === ']') continue
    const row = parseStorableJson(line.replace(/,$/, ''))
    if (row === undefined) throw new AppError('invalid', `${name} is too large`)
    rows.push(row)
    if (rows.length % rowsPerSlice === 0) await afterOtherEvents()
  }
  return rows
}

/** As `Array.flatMap`. Lets the worker do other work in between. */
export async function flatMapInSlices<Item, Result>(
  items: readonly Item[],
  map: (item: Item, index: number) => Result[],
): Promise<Result[]> {
  const results: Result[] = []
  for (const [index, item] of items.entries()) {
    results.push(...map(item, index))
    if (index % rowsPerSlice === 0) await afterOtherEvents()
  }
  return results
}

/**
 * The rows of a CSV file by their column names. Lets the worker do other work in between. Throws `invalid` for a file that is
 * no CSV, or has more than `maxRows` rows.
 */
export async function readCsv(bytes: Buffer, maxRows = csvMaxRows): Promise<Record<string, string>[]> {
  const rows: Record<string, string>[] = []
  const options = {
    bom: true,
    columns: true,
    skip_empty_lines: true,
    relax_column_count: true,
    relax_quotes: true,
    cast: storable,
  } as const
  try {
    await pipeline(
      csvSlicesOf(bytes),
      parse(options),
      async (parsed: AsyncIterable<Record<string, string>>) => {
        for await (const row of parsed) {
          if (rows.length === maxRows) throw new AppError('invalid', tooManyRows)
          rows.push(row)
        }
      },
    )
    return rows
  } catch (error) {
    if (error instanceof AppError) throw error
    throw new AppError('invalid', 'This file is no table of comma-separated values', { cause: error })
  }
}

const tooManyRows = `Lists may have at most ${csvMaxRows.toLocaleString('en')} rows together`

async function* csvSlicesOf(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let start = 0; start < bytes.length; start += csvBytesPerSlice) {
    yield bytes.subarray(start, start + csvBytesPerSlice)
    await afterOtherEvents()
  }
}
