import { pageLanguage } from '../../../lib/i18n/language.ts'
import { loadTranslate } from '../../../lib/i18n/translate-failure.ts'

/** Imports with why they failed in the language of the page: the server sends it in English, in a successful response. */
export async function withTranslatedFailures<Import extends { failure: string | null }>(
  imports: readonly Import[],
  language = pageLanguage,
): Promise<Import[]> {
  const translate = await loadTranslate(language)
  return imports.map((each) => ({ ...each, failure: each.failure && translate(each.failure) }))
}
