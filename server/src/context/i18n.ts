import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isLanguage, type Language } from '@kinora/contract/languages.ts'
import { IntlMessageFormat } from 'intl-messageformat'
import { parsePo } from 'pofile-ts'

const locales = join(import.meta.dirname, '../../locales')

/** Messages in a language. `npm run messages` collects the calls `i18n.t('…')`, so each has its English message in place. */
export interface I18n {
  language: Language
  /** The translation of an English message in ICU syntax. One without a translation stays English. */
  t: (message: string, values?: Record<string, string | number>) => string
}

const loaded = new Map<Language, I18n>()

/** The messages in the first of some tags that is a language of the site, or in English. */
export async function loadI18n(...tags: (string | null)[]): Promise<I18n> {
  const language = tags.find((tag) => tag !== null && isLanguage(tag)) ?? 'en'
  const i18n = loaded.get(language) ?? i18nOf(language, await readTranslations(language))
  loaded.set(language, i18n)
  return i18n
}

async function readTranslations(language: Language): Promise<ReadonlyMap<string, string>> {
  const { items } = parsePo(await readFile(join(locales, language, 'mails.po'), 'utf8'))
  return new Map(items.map(({ msgid, msgstr }) => [msgid, msgstr[0] ?? '']))
}

function i18nOf(language: Language, translations: ReadonlyMap<string, string>): I18n {
  return {
    language,
    t: (message, values) => {
      const text = translations.get(message) || message
      return String(new IntlMessageFormat(text, language, undefined, { ignoreTag: true }).format(values))
    },
  }
}
