import { VideoProcessing } from '@kinora/contract/videos.ts'
import type { Context } from '../../../context.ts'
import { processingTopic } from '../queries/processing.ts'

/** Calls `listener` with every change in the preparation of an owner's videos, until this is disposed. */
export async function onProcessing(
  { signals }: Pick<Context, 'signals'>,
  ownerId: string,
  listener: (change: VideoProcessing) => void,
): Promise<Disposable> {
  const unlisten = await signals.listen(processingTopic(ownerId), (message) =>
    listener(VideoProcessing.parse(JSON.parse(message))),
  )
  return { [Symbol.dispose]: unlisten }
}
