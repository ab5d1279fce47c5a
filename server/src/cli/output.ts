import type { Progress } from '@kinora/platform/progress.ts'

const printIntervalMs = 5000

/**
 * Prints progress to standard error, so that standard output contains only the result. On a terminal it overwrites one
 * line, elsewhere it prints a line every few seconds.
 */
export function printProgress(stream: NodeJS.WriteStream = process.stderr): Progress & { done(): void } {
  let printedAt = 0
  let isLineOpen = false
  const print = (sentence: string) => {
    const now = Date.now()
    if (stream.isTTY && now - printedAt > 50) {
      stream.write(`\r\x1b[K${sentence}`)
      isLineOpen = true
      printedAt = now
    } else if (!stream.isTTY && now - printedAt > printIntervalMs) {
      stream.write(`${sentence}\n`)
      printedAt = now
    }
  }
  return Object.assign(print, { done: () => void (isLineOpen && stream.write('\r\x1b[K')) })
}

/** Columns that only JSON has: in a table their URLs and titles would take the place of all others. */
const wideColumns = new Set(['avatar', 'thumbnail', 'videoTitle'])

/** Formats rows as a table with headings; empty without rows. */
export function table(rows: readonly object[]): string {
  const headings = Object.keys(rows[0] ?? {}).filter((name) => !wideColumns.has(name))
  const cells = [
    headings.map((heading) => heading.replaceAll(/([A-Z])/g, ' $1').toUpperCase()),
    ...rows.map((row) => {
      const values = new Map(Object.entries(row))
      return headings.map((name) => textOf(values.get(name)))
    }),
  ]
  const widths = headings.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)))
  return cells
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** A row of the API with its id under the name that programs expect of the command line. */
export const withPlainId = <Row extends object>({ _id: id, ...row }: Row & { _id: string }) => ({
  id,
  ...row,
})

/** Formats at most `limit` of `limit` + 1 rows, and mentions if there are more. */
export function page<Row extends object>(
  rows: readonly Row[],
  limit: number,
): { text: string; value: Row[] } {
  const value = rows.slice(0, limit)
  const more = rows.length > limit ? `\nThere are more than ${limit}: --limit <count> lists more.` : ''
  return { text: (table(value) || 'There is none.') + more, value }
}

/** Formats an object with one property per line. */
export function facts(values: object): string {
  const width = Math.max(...Object.keys(values).map((name) => name.length))
  return Object.entries(values)
    .map(([name, value]) => `${name.padEnd(width)}  ${textOf(value)}`)
    .join('\n')
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '-'
  if (value instanceof Date) return value.toISOString().slice(0, 16).replace('T', ' ')
  // user content must not contain terminal escape sequences
  return String(value).replaceAll(/\p{Cc}/gu, ' ')
}
