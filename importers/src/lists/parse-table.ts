import { pipeline } from 'node:stream/promises'
import { setImmediate as afterOtherEvents } from 'node:timers/promises'
import { portabilityErrors } from '@kinora/contract/portability/errors.ts'
import { parse } from 'csv-parse'
import { z } from 'zod'
import { AppError } from '@kinora/platform/errors.ts'
import { parseStorableJson, storable } from '@kinora/platform/storable.ts'
import { parseRows } from './parse-rows.ts'

/** Most rows of the CSV files of an archive together. Rows in memory take many times the bytes of short lines. */
export const csvMaxRows = 500_000

/** Most cells of a file, and columns: the parser takes time for each column in each row, even if the row has fewer. */
const maxCells = 3_000_000
const maxColumns = 300

const csvBytesPerSlice = 64 * 1024

/**
 * The rows of a CSV file by their column names. Throws `invalid` for a file that is no CSV, or has more than `maxRows` rows.
 */
export async function parseTable(bytes: Buffer, maxRows = csvMaxRows): Promise<Record<string, string>[]> {
  const rows: Record<string, string>[] = []
  let cells = 0
  const options = {
    bom: true,
    columns: (names: string[]) => {
      if (names.length > maxColumns) throw tooMany(maxColumns)
      return names
    },
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
          if (rows.length === maxRows)
            throw new AppError(portabilityErrors.tooManyRows, { limit: csvMaxRows })
          cells += Object.keys(row).length
          if (cells > maxCells) throw tooMany(maxCells)
          rows.push(withPlainComment(row))
        }
      },
    )
    return rows
  } catch (error) {
    if (error instanceof AppError) throw error
    throw new AppError(portabilityErrors.notTable, { cause: error })
  }
}

const tooMany = (limit: number) => new AppError(portabilityErrors.tooManyValues, { limit })

async function* csvSlicesOf(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let start = 0; start < bytes.length; start += csvBytesPerSlice) {
    yield bytes.subarray(start, start + csvBytesPerSlice)
    await afterOtherEvents()
  }
}

/** A row of Takeout whose comment is a text. Column names differ in capitals between exports. */
function withPlainComment(row: Record<string, string>): Record<string, string> {
  for (const [column, text] of Object.entries(row))
    if (column.toLowerCase() === 'comment text') row[column] = commentText(text)
  return row
}

const Segment = z.object({ text: z.string() })
const FormerComment = z.tuple([z.object({ takeoutSegments: z.array(z.unknown()) })])

/**
 * The text of a comment: JSON objects separated by commas; until 2024 a list of them in an object; before that, the text
 * itself.
 */
function commentText(text: string): string {
  const parsed = z.array(z.unknown()).safeParse(parseStorableJson(`[${text}]`)).data
  const former = parsed?.length === 1 ? FormerComment.safeParse(parsed).data?.[0].takeoutSegments : undefined
  const segments = parseRows(Segment, former ?? parsed)
  return segments?.map((segment) => segment.text).join('') ?? text
}
