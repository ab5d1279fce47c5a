import { type I18n, type Messages, setupI18n } from '@lingui/core'
import { ApiError } from '@kinora/contract/client.ts'
import { formatValue, nounOf } from '@kinora/contract/error-values.ts'
import type { Cause, ErrorParams } from '@kinora/contract/failure.ts'
import type { Language } from '@kinora/contract/languages.ts'
import { keepValuesLiteral } from './literal-values.ts'

const catalogs = import.meta.glob<{ messages: Messages }>('../../locales/*/errors.po')

const loading = new Map<Language, Promise<I18n>>()

/** The failure with its messages in a language. Those without a translation stay as the server sent them. */
export async function translateFailure(failure: ApiError, language: Language): Promise<ApiError> {
  const explain = await loadErrorTranslator(language)
  const errors = failure.errors.map((error) => ({ ...error, message: explain(error, error.message) }))
  const { status, code, reason, params } = failure
  return new ApiError(status, explain(failure, failure.message), { code, reason, params, errors })
}

/** Says in a language why something failed; returns `message` where there is no translation. */
export type ErrorTranslator = (cause: Cause | null, message: string) => string

/** Loads the errors in a language. Without its catalog, messages stay as they are. */
export async function loadErrorTranslator(language: Language): Promise<ErrorTranslator> {
  if (language === 'en') return keepMessage
  const promise = loading.get(language) ?? loadErrors(language)
  loading.set(language, promise)
  try {
    return errorTranslatorOf(await promise)
  } catch (error) {
    loading.delete(language)
    console.warn('The translations of errors could not be loaded', error)
    return keepMessage
  }
}

export const keepMessage: ErrorTranslator = (_, message) => message

async function loadErrors(language: Language): Promise<I18n> {
  const catalog = await catalogs[`../../locales/${language}/errors.po`]?.()
  return keepValuesLiteral(setupI18n({ locale: language, messages: { [language]: catalog?.messages ?? {} } }))
}

const errorTranslatorOf =
  (i18n: I18n): ErrorTranslator =>
  (cause, message) =>
    cause && Object.hasOwn(i18n.messages, cause.reason)
      ? i18n._(cause.reason, valuesOf(cause.params, i18n))
      : message

function valuesOf(params: ErrorParams, i18n: I18n): Record<string, string | number> {
  const values = Object.entries(params).map(([name, value]): [string, string | number] => {
    const label = `label.${value}`
    if (name === 'label') return [name, Object.hasOwn(i18n.messages, label) ? i18n._(label) : value]
    // the message has its plural forms
    return [name, nounOf(name) ? value : formatValue(name, value, i18n.locale)]
  })
  return Object.fromEntries(values)
}
