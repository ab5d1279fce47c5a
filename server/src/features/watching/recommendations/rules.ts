import type { Recommendation } from '@kinora/contract/watching/recommendations.ts'
import { spreadChannels } from '@kinora/contract/watching/spread-channels.ts'

/** A related video with its rank among those of the same kind, from 1. */
export type Candidate = Recommendation & { rank: number }

const kinds: readonly Recommendation['reason']['kind'][] = ['tag', 'channel', 'popular']

/** The best of each kind in turn, each video once, at most two in a row of one channel. */
export function mixCandidates(candidates: readonly Candidate[]): Recommendation[] {
  const inTurn = candidates.toSorted(
    (a, b) => a.rank - b.rank || kinds.indexOf(a.reason.kind) - kinds.indexOf(b.reason.kind),
  )
  const byId = new Map<string, Recommendation>()
  for (const { video, reason } of inTurn) if (!byId.has(video._id)) byId.set(video._id, { video, reason })
  return spreadChannels([...byId.values()], ({ video }) => video.videoOwner._id)
}
