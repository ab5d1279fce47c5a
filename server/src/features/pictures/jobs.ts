import { z } from 'zod'
import type { Context } from '../../context.ts'
import { defineJob } from '../../platform/jobs/jobs.ts'
import { picturePrefix } from './rules.ts'

/** Deletes the files of a picture that nothing shows any more. */
export const deletePictureFiles = defineJob({
  name: 'pictures.delete_files',
  payload: z.object({ id: z.string() }),
  concurrency: 2,
  timeLimitSeconds: 300,
  retries: 10,
  handle: async ({ id }, { storage }: Context) => storage.delete(picturePrefix(id)),
})
