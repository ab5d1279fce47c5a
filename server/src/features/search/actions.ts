import type { Db } from '../../database.ts'
import { listSimilarWords, listWordMatches, maxCorrected } from './queries.ts'
import { isLikelyMatch, mistyped, planSearch, type SearchPlan } from './rules.ts'

/** Looks up the words of a text and plans the search for them. */
export async function planSearchFor(db: Db, term: string): Promise<SearchPlan> {
  const { words, matches, totalVideos } = await listWordMatches(db, term)
  const meant = matches.filter((match) => isLikelyMatch(match, 1))
  const unknown = mistyped(words, meant)
  const alike = unknown.length > 0 ? await listSimilarWords(db, unknown.slice(0, maxCorrected)) : []
  return planSearch(words, [...meant, ...alike.filter((match) => isLikelyMatch(match, 2))], totalVideos)
}
