import { portabilityErrors } from '@kinora/contract/portability/errors.ts'
import { explain } from '@kinora/contract/failure.ts'
import { listFileName } from '@kinora/contract/portability/account-archive.ts'
import type { ZipFile } from '@kinora/platform/files/zip-file.ts'
import type { ImportRun } from '../import-run.ts'
import { isRefusal } from '../import-video.ts'
import { readRows } from '@kinora/importers/archives/read-archive.ts'
import type { ListName, Row } from '@kinora/importers/archives/schemas.ts'

/** A list of an archive: what the report calls its items, and its first file. */
export type List<Name extends ListName = ListName> = readonly [kind: Name, file: string]

/** Calls `work` for each file of a list, with the name of its step, so that only one is in memory. */
export async function eachFile<Name extends ListName>(
  zip: ZipFile,
  [kind, file]: List<Name>,
  work: (list: List<Name>, step: string) => Promise<void>,
): Promise<void> {
  for (let number = 1; number === 1 || zip.sizeOf(listFileName(file, number)) !== undefined; number += 1)
    await work([kind, listFileName(file, number)], number === 1 ? kind : `${kind}/${number}`)
}

/** The rows of a file of a list. Rows that do not follow the schema are skipped. A missing file is an empty list. */
export async function readList<Name extends ListName>(
  { report, reader }: Pick<ImportRun, 'report' | 'reader'>,
  zip: ZipFile,
  [kind, name]: List<Name>,
): Promise<Row<Name>[]> {
  if (zip.sizeOf(name) === undefined) return []
  try {
    const { rows, rejected, moreRejected } = await readRows(reader, zip, name, kind)
    for (const number of rejected)
      report.skip(kind, `${name}, entry ${number}`, explain(portabilityErrors.entryInvalid))
    report.skipMore(kind, moreRejected)
    return rows
  } catch (error) {
    if (!isRefusal(error)) throw error
    report.note(kind, name, error)
    return []
  }
}
