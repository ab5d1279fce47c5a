import type { Db } from '../../database.ts'
import type { Audience } from '../visibility/queries.ts'
import { listMembersWords, listSimilarWords, listWordMatches, maxCorrected } from './queries.ts'
import { isLikelyMatch, mistyped, planSearch, separateRuns, type SearchPlan } from './rules.ts'

/**
 * Looks up the words of a text and plans the search for them. Only words of public videos correct and complete it;
 * members also find the exact words of videos for members.
 */
export async function planSearchFor(
  db: Db,
  term: string,
  audience: Audience = 'visitors',
): Promise<SearchPlan> {
  const { words, matches, totalVideos } = await listWordMatches(db, separateRuns(term))
  const exact = new Set(matches.filter(({ kind }) => kind === 'exact').map(({ word }) => word))
  const others = audience === 'members' ? words.filter((word) => !exact.has(word)) : []
  const ofMembers = others.length > 0 ? await listMembersWords(db, others) : []
  const isKnown = new Set(ofMembers.map(({ word }) => word))
  const likely = matches.filter(
    (match) => isLikelyMatch(match, 1) && !(match.kind === 'mistake' && isKnown.has(match.word)),
  )
  const meant = [...likely, ...ofMembers]
  const unknown = mistyped(words, meant)
  const alike = unknown.length > 0 ? await listSimilarWords(db, unknown.slice(0, maxCorrected)) : []
  return planSearch(words, [...meant, ...alike.filter((match) => isLikelyMatch(match, 2))], totalVideos)
}
