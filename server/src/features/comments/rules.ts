const MENTION = /(?<![\p{L}\p{N}_@./-])@([A-Za-z0-9]+)(?![\p{L}\p{N}_@])/gu

/** Most people that one comment notifies. */
const maxMentions = 10

/** The @names of a text, in lower case. */
export function mentionsIn(text: string): string[] {
  const names = [...text.matchAll(MENTION)].map(([, name = '']) => name.toLowerCase())
  return [...new Set(names)].slice(0, maxMentions)
}
