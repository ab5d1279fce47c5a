import path from 'node:path'
import type { FastifyRequest } from 'fastify'
import { ByteBudget } from '../../concurrency/byte-budget.ts'
import { FairSemaphore } from '../../concurrency/fair-semaphore.ts'
import { type FormLimits, readForm, type ReceivedForm } from './form.ts'
import { picturesPace, waitForBeginning } from './receive-body.ts'

/** Disk space of this process for pictures that are being received or encoded. */
const incoming = new ByteBudget(4 * 1024 ** 3, 10_000)
/** Forms with pictures received from one address at a time; others wait. */
const receiving = new FairSemaphore({ total: Number.POSITIVE_INFINITY, perKey: 4 })

/** Receives a form with these file fields, each a picture. `sender` is the key by which senders are limited. */
export async function readPictures(
  request: FastifyRequest,
  {
    sender,
    ...config
  }: { sender: string; dataDir: string; pictureMaxBytes: number; uploadIdleSeconds: number },
  fields: string[],
  checkFields?: FormLimits['checkFields'],
): Promise<ReceivedForm> {
  await waitForBeginning(request, picturesPace)
  return receiving.run(sender, () =>
    readForm(request, {
      directory: path.join(config.dataDir, 'incoming'),
      maxBytes: Object.fromEntries(fields.map((field) => [field, config.pictureMaxBytes])),
      idleSeconds: config.uploadIdleSeconds,
      pace: picturesPace,
      budget: incoming,
      ...(checkFields ? { checkFields } : {}),
    }),
  )
}
