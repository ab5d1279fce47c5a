import { VideoProcessing } from '@kinora/contract/videos.ts'
import type { Context } from '../../../context.ts'
import { processingTopic } from '../queries/processing.ts'

/** Calls `listener` with every change in the preparation of an owner's videos, until disposed. */
export async function onProcessing(
  { pubsub: signals }: Pick<Context, 'pubsub'>,
  ownerId: string,
  listener: (change: VideoProcessing) => void,
): Promise<Disposable> {
  const unsubscribe = await signals.subscribe(processingTopic(ownerId), (message) =>
    listener(VideoProcessing.parse(JSON.parse(message))),
  )
  return { [Symbol.dispose]: unsubscribe }
}
