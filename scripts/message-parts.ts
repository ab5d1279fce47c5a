import { parse, type Token } from '@messageformat/parser'

/** An entry of a catalog. */
export type Entry = { source: string; translation: string }

/** The entries of a `.po` file without its header. */
export function entriesOf(po: string): Entry[] {
  const text = '("[^\\n]*"(?:\\n"[^\\n]*")*)'
  return [...po.matchAll(new RegExp(`^msgid ${text}\\nmsgstr ${text}`, 'gm'))]
    .map(([, source = '', translation = '']) => ({
      source: unquote(source),
      translation: unquote(translation),
    }))
    .filter(({ source }) => source !== '')
}

const unquote = (lines: string) =>
  lines
    .split('\n')
    .map((line) => JSON.parse(line) as string)
    .join('')

/** Placeholders for English words, such as articles, that other languages do without. */
const optional = new Map([['{0} is now {1} {role}.', '{1}']])

/**
 * Errors of a translation: invalid syntax, and placeholders or tags that it adds or lacks.
 * A placeholder may be missing in some plural forms ("one view"), but not in all.
 */
export function problemOf({ source, translation }: Entry, language: string): string | undefined {
  const cardinal = new Intl.PluralRules(language).resolvedOptions().pluralCategories
  let tokens: Token[]
  try {
    tokens = parse(translation, { cardinal })
  } catch (error) {
    return error instanceof Error ? error.message.split('\n')[0] : String(error)
  }
  const [parts, known] = [partsOf(tokens), partsOf(parse(source))]
  const needed = partsOf(parse(source), true).filter((part) => part !== optional.get(source))
  const missing = needed.filter((part) => !parts.includes(part))
  const unknown = parts.filter((part) => !known.includes(part))
  if (missing.length > 0) return `${missing.join(', ')} is missing`
  if (unknown.length > 0) return `${unknown.join(', ')} is not in the source`
  return undefined
}

/** Placeholders and tags; of plurals optionally those of the form "other" alone, which every language has. */
function partsOf(tokens: readonly Token[], onlyOther = false): string[] {
  const parts = tokens.flatMap((token): string[] => {
    if (token.type === 'content') return token.value.match(/<\/?\d+\/?>/g) ?? []
    if (token.type === 'octothorpe') return []
    if (token.type === 'argument' || token.type === 'function') return [`{${token.arg}}`]
    const forms =
      onlyOther && token.type === 'plural' ? token.cases.filter(({ key }) => key === 'other') : token.cases
    return [`{${token.arg}}`, ...forms.flatMap((form) => partsOf(form.tokens, onlyOther))]
  })
  return [...new Set(parts)]
}
