import { listFileName } from '@kinora/contract/account-archive.ts'
import { z } from 'zod'
import type { ZipFile } from '../../../../platform/files/zip-file.ts'
import { upgraded } from '../../rules.ts'
import type { ImportRun } from '../import-run.ts'
import { isRefusal } from '../import-video.ts'
import { flatMapInSlices, readJson, readJsonRows } from '../read-text.ts'

/** A JSON file of an archive of any version. */
export const readArchived = <Schema extends z.ZodType>(zip: ZipFile, name: string, schema: Schema) =>
  readJson(zip, name, schema, upgraded)

/** A list of an archive: what the report calls its items, and its first file. */
export type List = readonly [kind: string, file: string]

/** Calls `work` for each file of a list, with the name of its step, so that only one is in memory. */
export async function eachFile(
  zip: ZipFile,
  [kind, file]: List,
  work: (list: List, step: string) => Promise<void>,
): Promise<void> {
  for (let number = 1; number === 1 || zip.sizeOf(listFileName(file, number)) !== undefined; number += 1)
    await work([kind, listFileName(file, number)], number === 1 ? kind : `${kind}/${number}`)
}

/** The rows of a file of a list. Rows that do not follow the schema are skipped. A missing file is an empty list. */
export async function readList<Schema extends z.ZodType>(
  { report }: Pick<ImportRun, 'report'>,
  zip: ZipFile,
  [kind, name]: List,
  schema: Schema,
): Promise<z.output<Schema>[]> {
  if (zip.sizeOf(name) === undefined) return []
  try {
    const rows = await readJsonRows(zip, name)
    return await flatMapInSlices(rows, (row, index) => {
      const parsed = schema.safeParse(upgraded(row))
      if (!parsed.success) report.skip(kind, `${name}, entry ${index + 1}`, 'Does not follow the schema')
      return parsed.success ? [parsed.data] : []
    })
  } catch (error) {
    if (!isRefusal(error)) throw error
    report.note(kind, name, error.message)
    return []
  }
}
