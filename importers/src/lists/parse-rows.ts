import type { z } from 'zod'

/** Rows that all follow a schema; otherwise undefined, after the first one that does not: millions of errors take gigabytes. */
export function parseRows<Row>(
  schema: z.ZodType<Row>,
  values: readonly unknown[] | undefined,
): Row[] | undefined {
  if (values === undefined) return undefined
  const rows: Row[] = []
  for (const value of values) {
    const { success, data } = schema.safeParse(value)
    if (!success) return undefined
    rows.push(data)
  }
  return rows
}
