import type { Db } from '../../database.ts'
import { listAlikeWords, listWordMatches, maxCorrected } from './queries.ts'
import { isMeant, mistyped, planSearch, type SearchPlan } from './rules.ts'

/** Finds out what the words of a text may stand for, and what to look for then. */
export async function understand(db: Db, term: string): Promise<SearchPlan> {
  const { words, matches, totalVideos } = await listWordMatches(db, term)
  const meant = matches.filter((match) => isMeant(match, 1))
  const unknown = mistyped(words, meant)
  const alike = unknown.length > 0 ? await listAlikeWords(db, unknown.slice(0, maxCorrected)) : []
  return planSearch(words, [...meant, ...alike.filter((match) => isMeant(match, 2))], totalVideos)
}
