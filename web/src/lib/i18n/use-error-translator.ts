import { useEffect, useState } from 'react'
import { pageLanguage } from './language.ts'
import { keepMessage, type ErrorTranslator, loadErrorTranslator } from './translate-error.ts'

/** Explains failures in successful responses, in English until the errors of the language have loaded. */
export function useErrorTranslator(): ErrorTranslator {
  const [translator, setTranslator] = useState<ErrorTranslator>(() => keepMessage)
  useEffect(() => {
    void loadErrorTranslator(pageLanguage).then((loaded) => setTranslator(() => loaded))
  }, [])
  return translator
}
