import * as contract from '@kinora/contract/videos/waveforms.ts'
import { route } from '@kinora/platform/http/routing/route.ts'
import type { WebContext } from '../../../context/context.ts'
import { withOwnVideo } from '../captions/actions/change-captions.ts'
import { drawWaveform } from './jobs.ts'
import { findWaveform, putWaiting } from './queries.ts'
import { toWaveform } from './rules.ts'

export const waveformRoutes = [
  route(contract.getWaveform, ({ params: { id }, channel }, { db }: WebContext) =>
    withOwnVideo(db, { videoId: id, userId: channel.id }, async (own) =>
      toWaveform(await findWaveform(own, id)),
    ),
  ),

  route(
    contract.requestWaveform,
    { clears: [], isAudited: false },
    ({ params: { id }, channel, user }, { db, jobs }: WebContext) =>
      withOwnVideo(db, { videoId: id, userId: channel.id, actorId: user.id }, async (own) => {
        await putWaiting(own, id)
        const found = await findWaveform(own, id)
        if (found?.state === 'waiting') await jobs.enqueue(own, drawWaveform, { videoId: id }, { key: id })
        return toWaveform(found)
      }),
  ),
]
