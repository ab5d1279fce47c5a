import type { Page } from '@kinora/contract/endpoint.ts'
import type { Moment, SearchFilters } from '@kinora/contract/watching/search.ts'
import type { Video } from '@kinora/contract/videos/videos.ts'
import type { Db } from '../../../context/database.ts'
import { readMoments } from '../../videos/captions/actions/read-captions.ts'
import { type Audience, visitors } from '../../visibility/queries.ts'
import { listCaptionsWith, listDescriptionsWith } from './queries/moments.ts'
import { listResults, listTitlesWith } from './queries/results.ts'
import {
  listMembersWords,
  listPartsOf,
  listSimilarWords,
  listWordMatches,
  maxCorrected,
} from './queries/vocabulary.ts'
import {
  isLikelyMatch,
  mistyped,
  planSearch,
  type SearchCursor,
  type SearchPlan,
  separateRuns,
  signsOf,
} from './rules.ts'

/**
 * Looks up the words of a text and plans the search for them. Only words of public videos correct and complete it;
 * members also find the exact words of videos for members. Words that match nothing may be two words.
 */
export async function planSearchFor(
  db: Db,
  term: string,
  audience: Audience = visitors,
): Promise<SearchPlan> {
  const { words, matches, totalVideos } = await listWordMatches(db, separateRuns(term))
  const exact = new Set(matches.filter(({ kind }) => kind === 'exact').map(({ word }) => word))
  const others = audience.isSignedIn ? words.filter((word) => !exact.has(word)) : []
  const ofMembers = others.length > 0 ? await listMembersWords(db, others) : []
  const membersWords = new Set(ofMembers.map(({ word }) => word))
  const plausible = matches.filter(
    (match) => isLikelyMatch(match, 1) && !(match.kind === 'mistake' && membersWords.has(match.word)),
  )
  const known = [...plausible, ...ofMembers]
  const unknown = mistyped(words, known)
  const similar = unknown.length > 0 ? await listSimilarWords(db, unknown.slice(0, maxCorrected)) : []
  const corrected = similar.filter((match) => isLikelyMatch(match, 2))
  const unmatched = mistyped(unknown, corrected)
  const parts = unmatched.length > 0 ? await listPartsOf(db, unmatched.slice(0, maxCorrected)) : []
  return planSearch(words, [...known, ...corrected, ...parts], totalVideos)
}

/** A page of the videos that a search finds. */
export async function search(
  db: Db,
  term: string,
  { cursor, limit }: { cursor: SearchCursor | undefined; limit: number },
  audience: Audience,
  filters: SearchFilters,
): Promise<Page<Video>> {
  const signs = signsOf(term)
  if (signs !== undefined) return listTitlesWith(db, signs, cursor, limit, audience, filters)
  const plan = await planSearchFor(db, term, audience)
  return listResults(db, term, plan, cursor, limit, audience, filters)
}

/** Captions and descriptions that one search for moments reads. */
const sourcesRead = 8
const momentsShown = 6

/**
 * Chapters and sentences with all words of a text, one of each video, of videos that the viewer may find. `address` is that of the
 * client.
 */
export async function findMomentsOf(
  db: Db,
  text: string,
  viewerId: string | null,
  audience: Audience,
  address: string,
): Promise<Moment[]> {
  const chapters = await listDescriptionsWith(db, text, viewerId, sourcesRead, audience)
  const captions = await listCaptionsWith(db, text, viewerId, sourcesRead, audience)
  const sources = [
    ...chapters.map((source) => ({ ...source, kind: 'chapter' as const })),
    ...captions.map((source) => ({ ...source, kind: 'captions' as const })),
  ]
  const texts = sources.map(({ video, ...source }) => ({ ...source, videoId: video._id }))
  const found = await readMoments(address, text, texts, momentsShown)
  return found.flatMap(({ source, ...moment }) => {
    const { video, kind } = sources[source] ?? {}
    return video && kind ? [{ video, kind, ...moment }] : []
  })
}
