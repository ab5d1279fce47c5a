import { type Messages, setupI18n } from '@lingui/core'
import type { Language } from '@kinora/contract/languages.ts'
import { keepValuesLiteral } from './literal-values.ts'
import { serverFragments } from './server-messages.ts'

/** Translates a message of the server; one that is unknown stays as it is. */
export type Translate = (text: string) => string

export const untranslated: Translate = (text) => text

const catalogs = import.meta.glob<{ messages: Messages }>('../../locales/*/failures.po')

const fragments = new Set(serverFragments.map(({ id }) => id))

/** Placeholders for what people wrote, and for names. */
const verbatim = new Set(['name', 'names', 'text', 'time'])

const loading = new Map<Language, Promise<Translate>>()

/** Loads the messages of the server, which are English, in a language. Without its catalog, texts stay as they are. */
export function loadTranslate(language: Language): Promise<Translate> {
  if (language === 'en') return Promise.resolve(untranslated)
  const promise = loading.get(language) ?? loadCatalogs(language).catch(keepTexts)
  loading.set(language, promise)
  return promise

  function keepTexts(error: unknown): Translate {
    loading.delete(language)
    console.warn('The translations of failures could not be loaded', error)
    return untranslated
  }
}

async function loadCatalogs(language: Language): Promise<Translate> {
  const [english, translated] = await Promise.all([messagesIn('en'), messagesIn(language)])
  return translatorOf(english, translated, language)
}

async function messagesIn(language: Language): Promise<Messages> {
  const catalog = await catalogs[`../../locales/${language}/failures.po`]?.()
  return catalog?.messages ?? {}
}

/**
 * Finds a text in the English catalog, whatever fills its placeholders. What fills them is translated as well, unless people
 * wrote it; only there a text may be a fragment.
 */
function translatorOf(english: Messages, translated: Messages, language: Language): Translate {
  const i18n = keepValuesLiteral(setupI18n({ locale: language, messages: { [language]: translated } }))
  // The most specific one first: it has the longest text beside its placeholders.
  const patterns = Object.entries(english)
    .map(([id, message]) => ({ id, isFragment: fragments.has(id), ...patternOf(message) }))
    .toSorted((a, b) => b.length - a.length)
  const translate = (text: string, isValue: boolean): string => {
    for (const { id, isFragment, pattern } of patterns) {
      const match = isFragment && !isValue ? null : pattern.exec(text)
      if (!match) continue
      const values = Object.entries(match.groups ?? {}).map(([name, value]) => [
        name,
        verbatim.has(name) ? value : valueOf(value),
      ])
      return i18n._(id, Object.fromEntries(values))
    }
    return text
  }
  // the server separates thousands by commas, which other languages read as decimals
  const valueOf = (value: string) =>
    /^\d{1,3}(,\d{3})+$/.test(value)
      ? Number(value.replaceAll(',', '')).toLocaleString(language)
      : translate(value, true)
  return (text) => translate(text, false)
}

/** A message of a catalog is a text, or a list of texts and placeholders. */
function patternOf(message: Messages[string]): { pattern: RegExp; length: number } {
  const parts = typeof message === 'string' ? [message] : message
  const source = parts.map((part) =>
    typeof part === 'string' ? part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`) : `(?<${part[0]}>.+)`,
  )
  const texts = parts.filter((part) => typeof part === 'string')
  return { pattern: new RegExp(`^${source.join('')}$`, 's'), length: texts.join('').length }
}
