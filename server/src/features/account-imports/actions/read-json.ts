import type { z } from 'zod'
import { AppError } from '../../../platform/errors.ts'
import type { ZipFile } from '../../../platform/files/zip-file.ts'
import { parseStorableJson } from '../rules.ts'

/** Largest text file of an archive: a history of several hundred thousand videos. */
export const textMaxBytes = 64 * 1024 ** 2

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
