import type { VideoProcessing } from '@kinora/contract/videos.ts'
import type { Context } from '../../../context.ts'
import { topics } from '../../../topics.ts'

/** Calls `listener` with every change in the preparation of an owner's videos, until disposed. */
export async function onProcessing(
  { pubsub }: Pick<Context, 'pubsub'>,
  ownerId: string,
  listener: (change: VideoProcessing) => void,
): Promise<Disposable> {
  const unsubscribe = await pubsub.subscribe(topics.processing(ownerId), listener)
  return { [Symbol.dispose]: unsubscribe }
}
