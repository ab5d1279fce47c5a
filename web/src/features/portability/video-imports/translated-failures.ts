import type { Cause } from '@kinora/contract/failure.ts'
import { pageLanguage } from '../../../lib/i18n/language.ts'
import { loadErrorTranslator } from '../../../lib/i18n/translate-error.ts'

/** Imports with why they failed in the language of the page: the server sends it in English, in a successful response. */
export async function withTranslatedFailures<Import extends { failure: string | null; cause: Cause | null }>(
  imports: readonly Import[],
  language = pageLanguage,
): Promise<Import[]> {
  const explain = await loadErrorTranslator(language)
  return imports.map((each) => ({ ...each, failure: each.failure && explain(each.cause, each.failure) }))
}
