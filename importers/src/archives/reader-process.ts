import { readFile } from 'node:fs/promises'
import { serialize } from 'node:v8'
import { serveRequests } from '@kinora/platform/sandbox/preforked-process.ts'
import { AppError } from '@kinora/platform/errors.ts'
import { inBatches } from '@kinora/platform/in-batches.ts'
import type { ReaderRequest, ReaderResponse } from './archive-reader.ts'
import { parseFile } from './parse-file.ts'

const rowsPerBatch = 1000

/** Entry of the processes that `ArchiveReader` starts. */
serveRequests(async ({ path, name, format }: ReaderRequest): Promise<ReaderResponse> => {
  try {
    const { rows, ...rejected } = await parseFile(name, await readFile(path), format)
    return { ...rejected, batches: inBatches(rows, rowsPerBatch).map((batch) => serialize(batch)) }
  } catch (error) {
    if (error instanceof AppError) {
      const { message, reason, params } = error
      return { refusal: { message, reason, params } }
    }
    // such as a string above the limit of the engine
    return error instanceof RangeError ? { isTooCostly: true } : { error: String(error) }
  }
})
