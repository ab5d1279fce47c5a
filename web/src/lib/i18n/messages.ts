import { i18n, type Messages } from '@lingui/core'
import { failures } from '@kinora/contract/client.ts'
import { messages as english } from '../../locales/en/base.po'
import { pageLanguage } from './language.ts'
import { keepValuesLiteral } from './literal-values.ts'

/** Parts of the messages, each a catalog for every language: see `lingui.config.ts`. */
const parts = ['base', 'watch', 'pages'] as const
export type Part = (typeof parts)[number]

const catalogs = import.meta.glob<{ messages: Messages }>([
  '../../locales/*/*.po',
  '!**/errors.po',
  '!**/en/base.po',
])

keepValuesLiteral(i18n)
// Those of the first part come with the script in English, and stay where another language cannot be loaded.
i18n.loadAndActivate({ locale: pageLanguage, messages: { ...english } })

// The server writes English.
if (pageLanguage !== 'en')
  failures.translate = async (failure) => {
    // The interface asks to sign in instead of showing it.
    if (failure.reason === 'sign_in_required') return failure
    const { translateFailure } = await import('./translate-error.ts')
    return translateFailure(failure, pageLanguage)
  }

const loading = new Map<Part, Promise<void>>()

/**
 * Loads a part of the messages in the language of the page, and those of the parts before it. A part that failed is
 * requested again by the next call.
 */
export async function loadMessages(part: Part): Promise<void> {
  await Promise.all(parts.slice(0, parts.indexOf(part) + 1).map(loadOnce))
}

/** Fetches a module together with the messages that it shows. */
export async function withMessages<Module>(part: Part, load: () => Promise<Module>): Promise<Module> {
  const [module] = await Promise.all([load(), loadMessages(part)])
  return module
}

function loadOnce(part: Part): Promise<void> {
  if (part === 'base' && pageLanguage === 'en') return Promise.resolve()
  const promise = loading.get(part) ?? loadCatalog(part)
  loading.set(part, promise)
  promise.catch(() => loading.delete(part))
  return promise
}

async function loadCatalog(part: Part): Promise<void> {
  const catalog = await catalogs[`../../locales/${pageLanguage}/${part}.po`]?.()
  if (catalog) i18n.load(pageLanguage, catalog.messages)
}
