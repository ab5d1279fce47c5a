import type { Progress } from '../platform/progress.ts'

const printIntervalMs = 5000

/**
 * Tells how far something is on standard error, so that standard output holds the result alone: over and over in one
 * line of a terminal, elsewhere every few seconds.
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

/** Rows under their headings, in columns as wide as they need; nothing for none. */
export function table(rows: readonly object[]): string {
  const headings = Object.keys(rows[0] ?? {})
  const cells = [
    headings.map((heading) => heading.replaceAll(/([A-Z])/g, ' $1').toUpperCase()),
    ...rows.map((row) => Object.values(row).map(textOf)),
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

/** A list of at most `limit` rows, of which one more was asked for: says when there are more. */
export function page<Row extends object>(
  rows: readonly Row[],
  limit: number,
): { text: string; value: Row[] } {
  const value = rows.slice(0, limit)
  const more = rows.length > limit ? `\nThere are more than ${limit}: --limit <count> lists more.` : ''
  return { text: (table(value) || 'There is none.') + more, value }
}

/** One fact per line. */
export function facts(values: object): string {
  const width = Math.max(...Object.keys(values).map((name) => name.length))
  return Object.entries(values)
    .map(([name, value]) => `${name.padEnd(width)}  ${textOf(value)}`)
    .join('\n')
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '-'
  if (value instanceof Date) return value.toISOString().slice(0, 16).replace('T', ' ')
  // what people wrote must not move the cursor or colour the terminal
  return String(value).replaceAll(/\p{Cc}/gu, ' ')
}
