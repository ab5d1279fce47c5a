import { generateMessageId } from '@lingui/message-utils/generateMessageId'
import type { CatalogFormatter, ExtractorType } from '@lingui/conf'
import { allErrors } from '@kinora/contract/error-list.ts'
import { nounOf } from '@kinora/contract/error-values.ts'
import { fieldLabels } from '@kinora/contract/field-labels.ts'

/** The English text of an error in ICU syntax: values that count something have plural forms. */
const icuMessageOf = (message: string) =>
  message.replaceAll(/\{(\w+)\}/g, (placeholder, name: string) => {
    const noun = nounOf(name)
    return noun ? `{${name}, plural, one {# ${noun}} other {# ${noun}s}}` : placeholder
  })

/** Errors of the API by their reasons, and the labels in them. */
const messages = new Map([
  ...allErrors.flatMap(({ reason, message, isTechnical }) =>
    isTechnical ? [] : [[reason, icuMessageOf(message)] as const],
  ),
  ...fieldLabels.map((label) => [`label.${label}`, label] as const),
])

/** Collects the errors of the API from their definitions. */
export const errorExtractor: ExtractorType = {
  match: (file) => file.endsWith('contract/src/error-list.ts'),
  extract: (file, _code, onMessageExtracted) => {
    for (const [id, message] of messages) onMessageExtracted({ id, message, origin: [file, 1] })
  },
}

type Catalog = Awaited<ReturnType<CatalogFormatter['parse']>>

/**
 * Writes the errors as other messages are written, their text beside its translation, with the reason as context. Read from
 * a file, they have their reason as id. A translation of another text counts as missing.
 */
export function withErrors(format: CatalogFormatter): CatalogFormatter {
  const isOfErrors = (file: string) => /[\\/]errors(\.po)?$/.test(file)
  return {
    ...format,
    parse: async (content, context) => {
      const catalog: Catalog = await format.parse(content, context)
      if (!isOfErrors(context.filename)) return catalog
      return Object.fromEntries(
        Object.values(catalog).flatMap(({ context: reason, ...entry }) =>
          reason !== undefined && messages.get(reason) === entry.message ? [[reason, entry]] : [],
        ),
      )
    },
    serialize: async (catalog, context) => {
      if (!isOfErrors(context.filename)) return format.serialize(catalog, context)
      const entries = Object.entries(catalog).map(([reason, entry]) => [
        generateMessageId(entry.message ?? '', reason),
        { ...entry, context: reason, origin: [] },
      ])
      return format.serialize(Object.fromEntries(entries), context)
    },
  }
}
