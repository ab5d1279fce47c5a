import { setImmediate as afterOtherEvents } from 'node:timers/promises'
import { portabilityErrors } from '@kinora/contract/portability/errors.ts'
import type { z } from 'zod'
import { AppError } from '@kinora/platform/errors.ts'
import type { ZipFile } from '@kinora/platform/files/zip-file.ts'
import type { ArchiveReader } from './archive-reader.ts'
import { type Contents, textMaxBytes } from './parse-file.ts'
import type { DocumentName, documents, ListName, Row } from './schemas.ts'

/** Largest file of a list of Kinora, which has a row on each line. Exports before 0.3 have a single file for each list. */
const listMaxBytes = 128 * 1024 ** 2

const rowsPerSlice = 1000

const lacks = (name: string) => new AppError(portabilityErrors.archiveLacks, { name })

/** An object of an archive of Kinora, of any version. Throws `invalid` if it is missing, or does not follow the schema. */
export async function readDocument<Name extends DocumentName>(
  reader: ArchiveReader,
  zip: ZipFile,
  name: string,
  schema: Name,
): Promise<z.output<(typeof documents)[Name]>> {
  const format = { kind: 'document', schema } as const
  const contents = await reader.readEntry(zip, name, { format, maxBytes: textMaxBytes })
  if (!contents) throw lacks(name)
  // the reader has parsed it with this schema
  return contents.rows[0] as z.output<(typeof documents)[Name]>
}

/** A list of an archive. Throws `invalid` if it is missing, too large, or no list. */
export async function readRows<Name extends ListName>(
  reader: ArchiveReader,
  zip: ZipFile,
  name: string,
  schema: Name,
): Promise<Omit<Contents, 'rows'> & { rows: Row<Name>[] }> {
  const format = { kind: 'list', schema } as const
  const contents = await reader.readEntry(zip, name, { format, maxBytes: listMaxBytes })
  if (!contents) throw lacks(name)
  // the reader has parsed them with this schema
  return contents as Omit<Contents, 'rows'> & { rows: Row<Name>[] }
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
