/** A value as a field of CSV (RFC 4180). Spreadsheets would run texts that begin like a formula: these get an apostrophe. */
function fieldOf(value: string | null): string {
  const text = value ?? ''
  return `"${(/^[=+\-@\t\r]/.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`
}

/** Rows as CSV, with a byte order mark by which spreadsheets recognize UTF-8. */
export function csvOf(rows: readonly (readonly (string | null)[])[]): string {
  return `\uFEFF${rows.map((row) => `${row.map(fieldOf).join(',')}\r\n`).join('')}`
}
