import type { Context } from '../../../../context/context.ts'
import { hasRecognizer } from '../queries.ts'

/** Whether this machine or another one recognizes speech. */
export const isAvailable = async ({ db, speech }: Pick<Context, 'db' | 'speech'>): Promise<boolean> =>
  (await speech.isInstalled()) || (await hasRecognizer(db))
