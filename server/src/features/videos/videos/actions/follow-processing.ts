import type { VideoProcessing } from '@kinora/contract/videos/videos.ts'
import type { Context } from '../../../../context/context.ts'
import { processingOf } from '../topics.ts'

/**
 * Calls `listener` with every change in the preparation of an owner's videos, and `onMissed` when some may have been lost,
 * until disposed.
 */
export async function onProcessing(
  { pubsub }: Pick<Context, 'pubsub'>,
  ownerId: string,
  listener: (change: VideoProcessing) => void,
  onMissed: () => void,
): Promise<Disposable> {
  const unsubscribe = await pubsub.subscribe(processingOf(ownerId), listener, onMissed)
  return { [Symbol.dispose]: unsubscribe }
}
