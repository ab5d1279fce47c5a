import { normalizeTag } from '@kinora/contract/characters.ts'

/** The tags in a text, separated by commas, each once. */
export function tagsIn(text: string): string[] {
  return [...new Set(text.split(/[,،、，\n]/).map(normalizeTag))].filter(Boolean)
}
